"""The English calendar as words, all in lower case. Data."""

MONTH_NAMES = tuple(
    "january february march april may june july august september october november december".split()
)
WEEKDAY_NAMES = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS, WEEKDAYS = frozenset(MONTH_NAMES), frozenset(WEEKDAY_NAMES)

# "may" and "march" are also words, "jan" and "mar" also names: alone they are months only if the text says so.
AMBIGUOUS = frozenset({"may", "march", "jan", "mar"})

# The name of a month, in full or abbreviated -> its number, 1 to 12.
MONTH_NUMBERS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTH_NUMBERS |= {name[:3]: number for name, number in MONTH_NUMBERS.items()} | {"sept": 9}

# Words that say when something was.
TIMES = MONTHS | WEEKDAYS
TIMES |= frozenset(
    "yesterday today tonight tomorrow ago last next week weeks weekend month months year years day days hour "
    "hours minute minutes morning evening night since recently summer winter spring autumn".split()
)

# Words that count the days, weeks ... of "two weeks ago" -> the number.
COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
COUNTS |= {"nine": 9, "ten": 10}
