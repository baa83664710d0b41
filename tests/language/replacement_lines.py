"""Lines with a link that say that something replaces, or is replaced.

Each begins with "old" where what is linked has been replaced, with "heir" where it replaces the note.
"""

REPLACES = """
old|This note replaces [[x]].
old|Overrides [[x]].
old|[[x]] is retired.
old|[[x]] has been withdrawn.
old|Do this rather than [[x]] from now on.
old|Throw away [[x]].
old|The rule in [[x]] has been dropped.
old|The old way ([[x]]) is dead.
old|[[x]] no longer applies since the move.
old|From now on this applies, not [[x]].
old|Takes over from [[x]].
old|So much for [[x]]: it is void.
old|We have given up [[x]].
old|[[x]] can go.
old|Please do not use [[x]] any more.
old|With that [[x]] is settled differently.
old|Herewith [[x]] is repealed.
old|It was [[x]] before.
old|Damit ist [[x]] hinfällig.
old|Tritt an die Stelle von [[x]].
old|[[x]] kann weg.
old|Nicht mehr wie in [[x]].
old|Ersetzt die alte Regel [[x]].
old|Das alte Verfahren ([[x]]) ist abgeschafft.
old|[[x]] ist damit vom Tisch.
old|Was in [[x]] steht, ist überholt.
old|Wir machen das nicht mehr wie in [[x]].
old|Vorher: [[x]], das gilt nicht mehr.
old|Reemplaza a [[x]].
old|Esto deja sin efecto [[x]].
old|Lo que dice [[x]] ya no vale.
old|[[x]] queda anulado.
old|Con esto queda derogada la regla de [[x]].
old|Annule et remplace [[x]].
old|Ce qui est écrit dans [[x]] n'est plus valable.
old|[[x]] est caduc.
old|[[x]] ne s'applique plus.
old|Remplace [[x]].
old|On ne fait plus comme dans [[x]].
old|La méthode de [[x]] est abandonnée.
heir|Superseded by [[x]].
heir|Replaced in May by [[x]].
heir|Outdated, see [[x]].
heir|This no longer holds; see [[x]].
heir|Do not use this any more, use [[x]].
heir|Obsolete since the move: [[x]].
heir|Now see [[x]].
heir|The new version is [[x]].
heir|Gilt nicht mehr, siehe [[x]].
heir|Überholt, jetzt [[x]].
heir|Abgelöst durch [[x]].
heir|Ya no vale, ver [[x]].
heir|Reemplazado por [[x]].
heir|Sustituido en mayo por [[x]].
heir|Remplacé par [[x]].
heir|Périmé, voir [[x]].
heir|N'est plus à jour : voir [[x]].
heir|Caducado; véase [[x]].
old|No more [[x]]: the pump does it alone.
old|The rules of [[x]] are off.
old|[[x]] has been overtaken by events.
old|That is the end of [[x]].
old|[[x]] is not how we do it any more.
old|[[x]] is now only of historical interest.
old|Whoever still goes by [[x]] does it wrong.
old|Cross out [[x]].
old|[[x]] may be thrown out.
old|The list in [[x]] has gone.
old|What stood in [[x]] has been withdrawn.
old|A new list; the one in [[x]] is outdated.
old|Never mind [[x]].
old|With this the agreement of [[x]] ends.
old|This is the successor of [[x]].
old|[[x]] has ceased to apply.
old|Not [[x]] any more.
old|That settles it differently from [[x]], which no longer counts.
old|This note takes precedence over [[x]].
old|Use this and not [[x]].
old|Hereby [[x]] is cancelled.
old|It does away with [[x]].
old|[[x]] expired with the new contract.
old|[[x]] was the rule until then.
old|So ist [[x]] hinfällig geworden.
old|Die Liste in [[x]] ist nicht mehr aktuell.
old|[[x]] hat ausgedient.
old|[[x]] ist Geschichte.
old|Vergesst [[x]].
old|Damit entfällt [[x]].
old|Diese Fassung tritt an die Stelle von [[x]].
old|Gilt statt [[x]].
old|Das hier gilt, nicht mehr [[x]].
old|Lo que pone en [[x]] ha quedado anticuado.
old|Con esto [[x]] deja de aplicarse.
old|[[x]] ya no sirve.
old|Esto reemplaza lo de [[x]].
old|Deja sin validez [[x]].
old|Anula lo dicho en [[x]].
old|[[x]] n'est plus d'actualité.
old|Ceci annule [[x]].
old|À la place de [[x]], on prend désormais le bus.
old|[[x]] ne vaut plus.
old|On a abandonné [[x]].
old|[[x]] est remplacé par ceci.
heir|Overtaken by [[x]].
heir|See [[x]], which replaces this.
heir|This has been replaced: [[x]].
heir|The current version is in [[x]].
heir|No longer in use, we have [[x]] now.
heir|Was the plan until [[x]].
heir|Inzwischen gilt [[x]].
heir|Wurde von [[x]] abgelöst.
heir|Veraltet: [[x]].
heir|Anulado por [[x]].
heir|Ahora rige [[x]].
heir|Remplacée depuis par [[x]].
heir|Ne vaut plus : voir [[x]].
old|This replaces the rule of [[x]].
old|This makes [[x]] history.
old|It is valid instead of [[x]].
old|Instead of [[x]], use the lift.
old|We no longer use [[x]].
old|Forget what [[x]] says.
old|Forget [[x]].
old|What [[x]] says is no longer true.
heir|Void, see [[x]].
heir|Use [[x]] instead.
old|The new rule ends [[x]].
old|Round ones (formerly [[x]]).
old|[[x]] is wrong since the move.
old|Do not follow [[x]].
old|One coat a year instead of [[x]].
old|No more [[x]].
old|With this [[x]] ceases.
heir|It gave way to [[x]].
old|A new list, the one in [[x]] has gone.
heir|Outdated, the current list is [[x]].
heir|No longer in use, we have [[x]].
old|Das ersetzt [[x]].
old|Das macht [[x]] hinfällig.
old|Statt [[x]] gilt der Aushang.
old|Gilt anstelle von [[x]].
old|Damit gilt [[x]] nicht mehr.
old|Wir nutzen [[x]] nicht mehr.
old|Nicht mehr nach [[x]] arbeiten.
old|Vergiss [[x]].
old|Damit hat [[x]] ausgedient.
old|Was in [[x]] steht, gilt nicht mehr.
old|Damit ist [[x]] überholt.
heir|Ersetzt durch [[x]].
old|[[x]] brauchen wir nicht mehr.
old|Schluss mit [[x]].
old|[[x]] bitte ignorieren.
old|Ein Anstrich im Jahr statt [[x]].
old|Von [[x]] sind wir weg.
old|Runde Etiketten (früher [[x]]).
old|Das beendet [[x]].
heir|Veraltet, aktuell ist [[x]].
old|Nicht mehr [[x]], sondern Freitag.
old|Sustituye a [[x]].
old|En lugar de [[x]] ahora hay dos.
old|Ahora vale esto en vez de [[x]].
old|Ya no vale [[x]].
old|Ya no lo hacemos como en [[x]].
old|Queda anulada [[x]].
old|Olvida [[x]].
old|Lo de [[x]] ya no vale.
heir|Sustituida por [[x]].
heir|Obsoleto: lo vigente está en [[x]].
old|[[x]] deja de valer.
old|Una mano al año en vez de [[x]].
old|Etiquetas redondas (antes [[x]]).
old|Esto corrige [[x]].
heir|Caducado: [[x]].
old|Cela remplace [[x]].
old|À suivre au lieu de [[x]].
old|Au lieu de [[x]], on fait simple, désormais.
old|On n'utilise plus [[x]].
old|Ne plus utiliser [[x]].
old|Cela rend [[x]] caduque.
old|Oublier [[x]].
old|Ce que dit [[x]] n'est plus valable.
old|Avant [[x]] ; cela ne vaut plus.
heir|Périmé, la version en vigueur est [[x]].
heir|Remplacée par [[x]].
heir|N'est plus valable, voir [[x]].
old|Ne plus tenir compte de [[x]].
old|Une couche par an au lieu de [[x]].
old|Étiquettes rondes (avant [[x]]).
heir|Désormais dans [[x]].
heir|Périmé : [[x]].
heir|Obsolete since [[x]].
heir|Überholt seit [[x]].
heir|Anulado desde [[x]].
heir|Périmé depuis [[x]].
old|[[x]] is how we used to do it.
old|No uses más [[x]].
old|On abandonne [[x]].
old|Ignore my message in [[x]].
old|This is the current rota, so [[x]] can be binned.
old|[[x]] doesn't hold water any more.
old|Version 3, succeeds [[x]].
old|[[x]] -> superseded
old|Retires [[x]].
old|Please work from this one and not from [[x]].
old|Out with [[x]], in with the app.
old|Goodbye [[x]].
old|Updated 3 May. Previous version: [[x]].
old|[[x]] is from before the operation, don't give it to anyone.
old|I got the colours mixed up in [[x]].
old|In [[x]] I wrote the wrong date.
old|[[x]] has been merged into this page.
old|Combines and replaces [[x]].
old|We are done with [[x]].
old|Nothing in [[x]] applies now.
old|Contrary to what [[x]] says, the gate is locked at eight.
old|You can throw [[x]] away.
old|[[x]] is out.
old|Forget everything in [[x]].
old|This takes over from [[x]] as of June.
old|Not as in [[x]] any more.
old|I have read [[x]] once more. It's all wrong.
old|[[x]] had its time.
old|Voids [[x]]
old|(replaces [[x]])
old|Re [[x]]: no longer true.
old|Nicht [[x]] nehmen, die Maße stimmen nicht.
old|Ablösung für [[x]].
old|[[x]] könnt ihr vergessen.
old|Der Zettel [[x]] ist überholt.
old|[[x]] war falsch, es sind 40 Gramm.
old|Hier hatte ich in [[x]] einen Zahlendreher.
old|Die Preise aus [[x]] gelten nicht mehr.
old|Ab Montag so, nicht mehr wie in [[x]].
old|Habe [[x]] noch mal gelesen. Alles Unsinn.
old|Bitte [[x]] aus dem Ordner nehmen, gilt nicht mehr.
old|Tritt in Kraft und ersetzt [[x]].
old|[[x]] ist nicht mehr auf dem neuesten Stand.
old|Alles, was in [[x]] steht, ist hinfällig.
old|Entgegen [[x]] ist montags zu.
old|Anders als in [[x]] angegeben kostet es 8 Euro.
old|Esta hoja reemplaza a [[x]] desde hoy.
old|[[x]] ya es historia.
old|Ya podéis tirar [[x]].
old|Fe de erratas de [[x]]: son 40 gramos.
old|En [[x]] puse mal el teléfono.
old|No sirve lo que decía [[x]].
old|Lo escrito en [[x]] no es correcto.
old|Esto invalida [[x]].
old|Queda derogado lo dispuesto en [[x]].
old|Al contrario de lo que dice [[x]], abre a las ocho.
old|Cette fiche remplace [[x]].
old|Oubliez [[x]], c'était une erreur.
old|[[x]] n'est plus bon.
old|Ce qui est dit dans [[x]] est dépassé.
old|Contrairement à ce que dit [[x]], le portail ferme à huit heures.
old|Dans [[x]] j'avais mal noté l'heure.
old|Version 2, annule [[x]].
old|Barrez [[x]].
heir|This note is out of date. [[x]] is the one to use.
heir|Old. See [[x]].
heir|Obsolete → [[x]]
heir|The new rota is in [[x]].
heir|Replaced. Look in [[x]].
heir|This has been corrected in [[x]].
heir|Continued in [[x]].
heir|Deprecated in favour of [[x]].
heir|No longer the plan, [[x]] is.
heir|Wrong! [[x]] has the right dose.
heir|Please use [[x]] from now on.
heir|Changed in May: [[x]]
heir|UPDATE: superseded by [[x]].
heir|Achtung, veraltet! Bitte [[x]] verwenden.
heir|Stimmt so nicht mehr, Näheres in [[x]].
heir|Ersetzt am 4. Mai durch [[x]].
heir|Bitte nur noch [[x]] benutzen.
heir|Die neue Liste ist [[x]].
heir|Ya no es válido. Ver [[x]].
heir|Ahora es otra cosa: [[x]].
heir|Ha cambiado: mirad [[x]].
heir|Caduc, voir plutôt [[x]].
heir|Modifié depuis : [[x]].
heir|Ne plus utiliser, voir [[x]].
"""
