"""How people name a secret, in the most common languages: data for `mdmem.write.secretwords`.

Everything here is in lower case and without accents, as `mdmem.write.secrets.plain` leaves a text.
"""

from __future__ import annotations

# Names for a password: the word after one is a secret even if it is an ordinary word.
PASSWORD = (
    "pass ?words?",
    "p[4@]ssw[0o]rds?",
    "passwd",
    "pass[ -]?phrases?",
    "passcodes?",
    "pwd",
    "pw",
    "requirepass",
    "login key",
    "psk",
    "passwor[dt]e?s?",
    "passworter",
    "kennworte?s?",
    "losungswort",
    "zugangswort",
    "geheimwort",
    "contrasenas?",
    "contrasenyas?",
    "palabra secreta",
    "palabra de paso",
    "senhas?",
    "palavra-passe",
    "mots? de passe",
    "mdp",
    "phrase secrete",
    "parol[ae] d['’]ordine",
    "parole chiave d['’]accesso",
    "wachtwoord(?:en)?",
    "losenord(?:et)?",
    "passord(?:et)?",
    "adgangskoden?",
    "salasana",
    "haslo",
    "heslo",
    "parola",
    "jelszo",
    "sifre(?:si)?",
    "lozinka",
    "geslo",
    "mat khau",
    "kata sandi",
    "пароль",
    "пароля",
    "κωδικος",
)
# The same in scripts that do not separate words with spaces, or not reliably.
UNSPACED = ("密码", "密碼", "口令", "パスワート", "暗証番号", "비밀번호", "암호", "كلمة المرور", "סיסמה", "รหสผาน")
# Endings of compounds: "PGPASSWORD", "Adminpasswort", "dbPassword".
COMPOUND = (
    "password",
    "passwort",
    "passwd",
    "kennwort",
    "wachtwoord",
    "passphrase",
    "losenord",
    "passcode",
    "_pwd",
)
# Names that may mean something else: only a word that looks like a password counts after them.
PASSWORD_PERHAPS = (
    "pass",
    "claves?",
    "passe",
    "chiave d['’]accesso",
    "credenzial[ei]",
    "credenciales",
    "credentials?",
    "(?:wi-?fi|wlan|wpa2?|network|netzwerk|hotspot|red|reseau|rete)[ -]?(?:code|key|schlussel|clave|cle)",
    "(?:code|cle|clef|chiave|codice|codigo|chave) (?:du |de la |de l['’]|del |della |do |da )?(?:wi-?fi|wlan)",
    "zugangsdaten",
    "anmeldedaten",
    "login-?daten",
    "identifiants?",
    "logins?",
    "log-?in data",
    "zugangscode",
    "dati di accesso",
    "datos de acceso",
    "dados de acesso",
    "secret word",
    "geheimnis",
    "sudo pass",
    "auth pass",
)
# Names for a key or token: only a word that looks random counts after them.
KEY = (
    "secrets?",
    "tokens?",
    "api[ _-]?keys?",
    "access[ _-]?keys?",
    "secret[ _-]?keys?",
    "private[ _-]?keys?",
    "auth[ _-]?keys?",
    "(?:deploy|license|licence|encryption|signing|master|account|shared|admin|service)[ _-]?key",
    "session[ _-]?(?:id|key|cookie)",
    "sess(?:ion)?_?id",
    "phpsessid",
    "jsessionid",
    "connect\\.sid",
    "sid",
    "credentials?",
    "client[ _-]?secret",
    "webhook[ _-]?secret",
    "bearer",
    "api[ -]?schlussel",
    "schlussel",
    "clave (?:de )?api",
    "cle (?:d['’])?api",
    "cle secrete",
    "chiave (?:d[ei]ll['’])?api",
    "chiave segreta",
    "chave (?:da |de )?api",
    "llave (?:de )?api",
    "jeton",
    "gettone",
    "ficha de acceso",
    "geheimschlussel",
    "zugriffsschlussel",
    "zugangstoken",
    "app[ -]?key",
    "appkey",
    "account[ _-]?key",
    "sig",
    "令牌",
    "密钥",
)
_NETWORKS = ("wi", "wifi", "wlan", "wpa", "wpa2", "network", "netzwerk", "hotspot", "red", "reseau", "rete")
_KEYS = (
    *("access", "api", "secret", "private", "auth", "app", "deploy", "license", "licence", "signing"),
    *("master", "account", "shared", "admin", "service", "session", "encryption"),
)
# The first words of all these names, except for compounds and names in other scripts.
NAME_WORDS = frozenset(
    [network + key for network in _NETWORKS for key in ("", "code", "key", "schlussel", "clave", "cle")]
    + [name + key for name in _KEYS for key in ("", "key", "keys")]
    + "p pass password passwords passwd passphrase passphrases passcode passcodes pwd pw requirepass login"
    " psk p4ssw0rd p4ssw0rds p4ssword p4sswords passworte passwordes passworde passwort passwortes"
    " passworts passworter kennwort kennworte kennworts kennwortes losungswort zugangswort geheimwort"
    " contrasena contrasenas contrasenya contrasenyas palabra senha senhas palavra mot mots mdp phrase"
    " parola parole wachtwoord wachtwoorden losenord losenordet passord passordet adgangskode adgangskoden"
    " salasana haslo heslo jelszo sifre sifresi lozinka geslo mat kata clave claves passe chiave"
    " credenziale credenziali credenciales credential credentials code cle clef codice codigo chave"
    " zugangsdaten anmeldedaten logindaten identifiant identifiants logins log zugangscode dati datos"
    " dados geheimnis sudo secrets token tokens sess sessid sessionid sessioncookie phpsessid jsessionid"
    " connect sid client clientsecret webhook webhooksecret bearer apischlussel schlussel llave jeton"
    " gettone ficha geheimschlussel zugriffsschlussel zugangstoken sig".split()
)
# Parts of the names in other scripts, and of compounds.
NAME_PARTS = ("парол", "κωδικος", "令牌", "密钥")
COMPOUND_PARTS = ("passw", "passp", "passc", "kennwort", "wachtwoord", "losenord", "_pwd")
# The first words of phrases before a user name and password side by side.
LOGIN_WORDS = frozenset(
    "log login logins credential credentials creds sign signin account user username zugangsdaten zugang"
    " anmeldedaten anmeldung benutzer credenciales acceso usuario identifiant identifiants acces utilisateur"
    " credenziali accesso utente acesso credenciais root admin".split()
)
# Things that are opened with a numeric code.
PLACE = (
    r"(?:door|gate|garage|alarm|house|entry|entrance|front|back|lobby|elevator|lift|keypad|key ?(?:box|safe)"
    r"|lock ?box|safe|vault|padlock|lock|locker|bike|shed|office|gym|intercom|access|cabin|apartment|barn|cellar"
    r"|suitcase|i-?pad|i-?phone|apple watch|koffer"
    r"|tur|haus(?:tur)?|tor|garagen|alarm(?:anlage)?|tresor|schloss|schlussel(?:tresor|kasten|safe)|keller|eingangs?"
    r"|hoftor|zugangs?|wohnungs?|zahlenschloss|fahrradschloss|buro|spind"
    r"|puerta|alarma|caja fuerte|garaje|porton|portal|candado|entrada|cancela|taquilla|edificio|oficina|trastero"
    r"|porte|portail|alarme|coffre(?:-fort)?|cadenas|entree|immeuble|acces|cave|garage|boite a cles|casier|hall"
    r"|porta|cancello|allarme|cassaforte|lucchetto|ingresso|portone|cantina|palazzo|box|armadietto"
    r"|portao|cofre|cadeado|predio|garagem)"
)
CODE = (
    r"(?:codes?|combinations?|combo|pins?|kombination|zahlenkombination|codigos?|combinacion"
    r"|clave|combinaison|codici|codice|combinazione|combinacao|geheimzahl)"
)
# Things that have a code but hardly any other number, and words for using it.
KEY_BOX = r"(?:key ?safe|key ?box|lock ?box|keypad)"
LOCK = (
    rf"(?:{KEY_BOX}|alarm(?:anlage)?|alarma|alarme|allarme|pad ?lock|(?:bike|suitcase) lock|tresor|haustur"
    r"|(?:the|our|my) safe|caja fuerte|coffre(?:-fort)?|cassaforte|candado|cadenas|lucchetto)"
)
ENTRANCE = r"(?:(?:front |back |side )?door|gate|porte|entree|portail|puerta|portal|porta|ingresso|tur|tor)"
ENTER = (
    r"(?:press|type|enter|punch in|key in|dial|eingeben|tippe|gib|marca|marque|teclea|tapez|compose[rz]?|digita"
    r"|inserisci)"
)
DISARMS = (
    r"(?:takes|unlocks? (?:at|with)|disarm(?:s|ed)? (?:it )?with|turn it to|se desactiva con|se desactive avec"
    r"|si disattiva con)"
)
NO_LOCK = (
    "zip",
    "postal",
    "area",
    "country",
    "error",
    "status",
    "exit",
    "dress",
    "color",
    "colour",
)  # whose codes are not secrets
# Names for a numeric code that count without a place beside them.
PIN = (
    "pins?",
    "pin[ -]?(?:code|number|nummer)s?",
    "passcode",
    "puk",
    "geheimzahl",
    "geheimnummer",
    "digicode",
    "entsperrcode",
    "nip",
    "codigo secreto",
    "code secret",
    "code confidentiel",
    "codice segreto",
    "codice pin",
    "codigo pin",
)
OPENS_WITH = (
    "opens? with|unlocks? with|opens? to|geht mit|offnet (?:sich )?mit|geht auf mit|se abre con|abre con|abre com"
    "|s['’]ouvre avec|ouvre avec|si apre con|apre con"
)
ONE_TIME = (
    r"(?:2fa|mfa|totp|otp|sms|one[- ]time|verification|back-?up|recovery|security|log-?in|unlock|screen|phone"
    r"|bestatigungs|sicherheits|einmal|wiederherstellungs|verifizierungs|entsperr|backup)"
)
PERSONAL = (
    r"(?:ssn|social security(?: number| no\.?)?|sozialversicherungsnummer|rentenversicherungsnummer|steuer-?id"
    r"|steuernummer|steueridentifikationsnummer|personalausweis(?:nummer)?|ausweisnummer|reisepass(?:nummer)?"
    r"|passport (?:number|no\.?|nr\.?)|passport|national insurance(?: number)?|nino|tax id|itin|dni|nie|nif"
    r"|numero de (?:la )?seguridad social|numero de pasaporte|pasaporte|numero de securite sociale|nir"
    r"|numero de passeport|passeport|codice fiscale|passaporto|cpf|driver'?s licen[cs]e(?: number)?)"
)
PERSONAL_WORDS = frozenset(  # the first words of PERSONAL
    "ssn social sozialversicherungsnummer rentenversicherungsnummer steuer steuerid steuernummer"
    " steueridentifikationsnummer personalausweis personalausweisnummer ausweisnummer reisepass reisepassnummer"
    " passport national nino tax itin dni nie nif numero pasaporte nir passeport codice passaporto cpf driver"
    " drivers".split()
)
SEED_WORDS = frozenset(  # the first words of SEED
    "seed seedphrase seedworter recovery mnemonic wallet wiederherstellungsphrase wiederherstellungsworter"
    " wiederherstellungssatz frase palabras phrase secret backup".split()
)
NOT_IN_SEEDS = frozenset(  # words of ordinary sentences, which are on no BIP 39 list
    "and the for with from that this are was were has have had not but its our your his her their them they"
    " which who"
    " und der die das den dem mit von ist auf les des une est pour dans que los las por una con del per"
    " che".split()
)
SEED = (
    r"(?:seed(?: phrase| words?)?|recovery (?:phrase|words?|seed)|mnemonic(?: phrase)?|wallet (?:words?"
    r"|phrase|backup)"
    r"|seed-?(?:phrase|worter)|wiederherstellungs(?:phrase|worter|satz)|frase (?:semilla|de recuperacion|seed)"
    r"|palabras (?:semilla|de recuperacion)|phrase (?:de recuperation|secrete|mnemonique)"
    r"|frase (?:di recupero|mnemonica)|frase de recuperacao|secret (?:recovery )?phrase|backup (?:phrase|words))"
)
# Words between a name and its secret.
LINKS = frozenset(
    "is are was were be becomes became remains equals reads says stays set to use uses with via = => -> := →"
    " : | 's"
    " ist war sind lautet lauten heisst heissen auf mit wird bleibt nun"
    " es era son sera esta a con queda usa est etait sont sera devient avec a e era sono sara diventa"
    " sao foi fica com er is var on jest to je là adalah это 是 为 為 は です は、 는 은".split()
)
FILLERS = frozenset(
    "now still just simply currently always again called only actually really new newly also"
    " jetzt nun noch immer aktuell derzeit einfach seit heute neu ab sofort"
    " ahora siempre actualmente todavia desormais maintenant toujours actuellement adesso ora sempre attualmente"
    " agora sempre".split()
)
AFTER_VALUE = frozenset(  # "hunter22 for its password", "Birchwood77 ist das Passwort"
    "as for is was is, are als ist war fur como es era para comme est etait pour come e per".split()
)
# Words right after a name that make it something else.
OTHERWISE = frozenset(
    "hint hints field fields manager managers policy policies reset resets rotation generator prompt hash hashes"
    " hashing hashed file files length box form page strength protected protection required rule rules expiry"
    " expires stdin cracker store vault entry entries count counts limit limits bucket id name type digest"
    " fingerprint url path env var variable column label input attempts confirmation change changes checker"
    " requirement requirements complexity fatigue sharing storage less bytes size usage budget window rate"
    " santa sauce ingredient ingredients recipe santa service server".split()
)
NOT_SECRET_BEFORE = frozenset(
    "public primary foreign sort partition map rolling drawing hair safety bowling fingerprint host idempotency"
    " error status exit area zip post postal country promo discount coupon dress qr bar source byte morse"
    " mountain boarding bus train ski day season hall pipeline test tests unit cache".split()
)
# Words that may be in the place of a secret but are not one.
NO_VALUES = frozenset(
    "required optional none null nil true false unknown string text value wrong correct incorrect weak strong"
    " secure"
    " safe lost gone missing empty blank invalid valid hidden reset public private secret mandatory there here"
    " this that same different long short okay fine unset easy hard simple complex unique random sent never always"
    " what which yours mine ours better worse good necessary important sensitive case-sensitive old new set"
    " placeholder example changeme change-me password passwort passwd pass pwd token below above stuff things more"
    " enough authentication authorization bearer basic oauth plaintext login user username admin-password todo tbd"
    " password123! your-password hunter stdin prompt redacted removed masked n/a optional. auto automatic default"
    " anything something nothing everything kept stored saved written elsewhere inside nowhere everywhere"
    " pflicht erforderlich notwendig falsch richtig geheim unbekannt leer sicher unsicher vergessen abgelaufen"
    " gespeichert gesperrt obligatoria obligatorio requerida requerido incorrecta correcta segura secreta"
    " obligatoire requis requise incorrect secret oublie obbligatoria obbligatorio richiesta errata corretta"
    " segreta"
    " obrigatoria incorreta correta contrasena senha motdepasse see ask".split()
)
TECHNICAL = frozenset(
    "base64 base32 utf8 sha1 sha2 sha3 md5 argon2 argon2id argon2i pbkdf2 oauth oauth2 openid2 auth0 x509 pkcs8"
    " pkcs12 1password 2fa mfa2 u2f fido2 http2 http3 ipv4 ipv6 tls12 tls13 wpa2 wpa3 ed25519 curve25519 x25519"
    " secp256k1 aes128 aes256 rsa2048 rsa4096 hs256 rs256 es256 hs512 k8s i18n l10n a11y s3 ec2 log4j neo4j h264"
    " h265 mp3 mp4 win32 win64 x86 x64 amd64 arm64 x86_64 web2 web3 p2p b2b b2c y2k bcrypt2 scrypt2 blake2 blake3"
    " sqlite3 psycopg2 boto3 pydantic2 cryptsetup2 luks2 ext4 python2 python3 py3 es6 es2015 vue3 d3 three20"
    " kerberos5 ntlmv2 saml2 scram-sha-256 sha-256 sha-512 utf-8 aes-256 aes-256-gcm aes-256-cbc wi-fi6".split()
)
NUMBERED = (  # things with numbers: "Windows11" and "server01" are not passwords unless called so
    r"(?:windows|macos|ios|ipados|android|ubuntu|debian|fedora|python|java|node|php|mysql|postgres(?:ql)?|redis"
    r"|chrome|firefox|iphone|ipad|galaxy|pixel|thinkpad|version|chapter|page|step|phase|room|team|rev|build|release"
    r"|server|host|web|app|router|user|vlan|port|area|issue|ticket|pr|commit|covid|formula|airbus|boeing|node|db"
    r"|srv|vm|nas|gpu|cpu|gpt|claude|llama|gemini|mistral|opus|level|day|week|sprint|station|gate|terminal|line|linea"
    r"|seite|kapitel|raum|zimmer|haus|etage|version|pagina|capitulo|sala|chapitre|salle|capitolo|stanza)"
)
# Programs that take a password on the command line, and how.
COMMANDS = (
    r"\b(?:curl|wget|http|https|xh|httpie)\b[^\n|]*?(?:\s-u|\s--user|\s-a|\s--auth|\s--proxy-user"
    r"|\s-U)[ =]?[\"']?[\w.@+-]+:"
    r"(?P<value>[^\s\"']+)",
    r"\bsshpass\s+-p\s*[\"']?(?P<value>[^\s\"']+)",
    r"\b(?:mysql\w*|mariadb\w*|7z|7za|7zr|unrar|rar)\b[^\n|]*?\s-p[\"']?(?P<value>[^\s\"']{3,})",
    r"\b(?:docker login|podman login|helm|skopeo|buildah|oc|az|mongo\w*|cqlsh|influx|couchbase-cli|svn"
    r"|rabbitmqadmin|nmcli|plink"
    r"|pscp|psftp|gpg|ipmitool|impacket\w*|crackmapexec|evil-winrm|winexe|xfreerdp|rdesktop|ncftp|lftp)\b[^\n|]*?"
    r"\s(?:-p|-pw|/p:|-P|--passphrase)[ =]?[\"']?(?P<value>[^\s\"']{4,})",
    r"\bredis-cli\b[^\n|]*?\s(?:-a|--pass)[ =]?[\"']?(?P<value>[^\s\"']+)",
    r"\bldap(?:search|modify|add|passwd|delete|whoami)\b[^\n|]*?\s-w\s*[\"']?(?P<value>[^\s\"']+)",
    r"\b(?:sqlcmd|bcp|zip|unzip|mosquitto_\w+|isql|tsql|osql|pdftk|ipmitool|keepassxc-cli)\b[^\n|]*?\s-P\s*[\"']?"
    r"(?P<value>[^\s\"']{4,})",
    r"\b(?:smbclient|rpcclient|smbget|smbmap|net|nxc|wmic)\b[^\n|]*?\s(?:-U"
    r"|--user)[ =]?[\"']?[\w.\\/-]+%(?P<value>[^\s\"']+)",
    r"\bnet\s+use\b[^\n]*?\\\\\S+\s+[\"']?(?P<value>(?![/*])[^\s\"']+)",
    r"\bnet\s+user\s+[\w.-]+\s+[\"']?(?P<value>(?![/*])[^\s\"']+)\s+/add",
    r"\bhtpasswd\s+-\w*b\w*\s+(?:\S+\s+){1,2}[\"']?(?P<value>[^\s\"']+)\s*$",
    r"\bpass(?:in|out)?\s+pass:[\"']?(?P<value>[^\s\"']+)",
    r"\b(?:echo|printf|print)\s+(?:-\w+\s+)?[\"']?(?:[\w.-]+:)?(?P<value>[^\s\"'\\]+)(?:\\n)?[\"']?\s*\|\s*"
    r"(?:sudo\s+-S|sudo\s+chpasswd|chpasswd|passwd|su\b|.*--password-stdin|.*passphrase-fd|cryptsetup|gpg|kinit|smbpasswd)",
    r"\b(?:sudo\s+-S|chpasswd|passwd\s+--stdin|kinit)\b[^\n]*<<<\s*[\"']?(?:[\w.-]+:)?(?P<value>[^\s\"']+)",
    r"\bkeytool\b[^\n]*?-(?:store|key)pass\s+[\"']?(?P<value>[^\s\"']+)",
    r"\b(?:xfreerdp|wfreerdp|cmdkey|plink|runas)\b[^\n]*?/(?:p|pass|password):[\"']?(?P<value>[^\s\"']+)",
    r"(?<![\w-])--?(?:\w+[-_])*(?:password|passwd|passphrase|passwort|pass|pwd|secret|token|api-?key|storepass|keypass)"
    r"(?:=|\s+)[\"']?(?P<value>(?!-)[^\s\"']{4,})",
)
# The prefixes of keys that services issue.
PREFIXES = {
    "Anthropic API Key": r"sk-ant-",
    "GitHub Token": r"gh[pousr]_|github_pat_",
    "GitLab Token": r"gl(?:pat|dt|rt|cbt|ptt|ft|oas|soat|agent|imt|ffct)-",
    "Google API Key": r"AIza|ya29\.|GOCSPX-|1//0",
    "Stripe Access Key": r"[sr]k_(?:live|test)_|whsec_",
    "Slack Token": r"xox[a-z](?:\.xox[a-z])?-|xapp-",
    "AWS Access Key": r"(?:AKIA|ASIA|AIDA|AROA|ABIA|ACCA)(?=[A-Z0-9]{16}\b)",
    "AGE Key": r"AGE-SECRET-KEY-1",
    "SendGrid API Key": r"SG\.",
    "NPM Token": r"npm_",
    "PyPI Token": r"pypi-",
    "Access Token": (
        r"hf_|gsk_|r8_|pplx-|xai-|shp(?:at|ss|ca|pa)_|do[op]_v1_|sbp_|lin_(?:api|oauth)_|hv[sbr]\.|dckr_(?:pat|oat)_"
        r"|dapi|key-|figd_|figo_|ntn_|secret_|PMAK-|NRAK-|NRJS-|glsa_|glc_|ATATT3|ATCTT3|ATBB|CCIPAT_|rubygems_|fo1_"
        r"|FlyV1 |pul-|phx_|sntrys_|sntryu_|dt0[cs]\d\d\.|LTAI|rzp_live_|rzp_test_|FLWSECK[-_]|oy2|ops_ey|tskey-"
        r"|tvly-|co_|nvapi-|EAAA|sq0(?:csp|atp|idp)-|access_token\$|live_|test_|tk_|pat_|pat-|api-|EZAK|EZTK|sk_"
        r"|rk-|sess-|ctp_|cio_|apify_api_|fw_|together_|wandb_v1_|asst-|pcsk_|vercel_|vc[pakir]_|nfp_|bkua_|bb_"
        r"|dsapi_|e2b_|fal_|key_|lsv2_(?:pt|sk)_|rnd_|railway_|sup_|tfe_|xkeysib-|xsmtpsib-|mlsn\.|re_|patt?\w{0,3}\."
        r"|ABSK|bedrock-api-key-|frp_|napi_|plexToken|doppler_|dp\.(?:pt|st|ct|sa|scim|audit)\.|u\+|CFPAT-|hrku-|"
        r"HRKU-|sl\.|prod_|ak_|jkp_|ey2"
    ),
}
