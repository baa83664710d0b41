"""Words that mean much the same, across English, German, Spanish and French: for texts in different words.

Each row is one sense: its words in the four languages, between bars. A row is wider than `alignment.tables.NEAR`:
its words cannot always replace each other, but people use them to say the same thing again. Tuned to no vault.
"""

# ruff: noqa: E501 - a sense is one row
from __future__ import annotations

from collections import defaultdict
from functools import cache

from mdmem.language.alignment.reading import root
from mdmem.language.roots import folded

TONGUES = ("en", "de", "es", "fr")
_TABLE = """
house home place residence|haus zuhause heim|casa hogar vivienda|maison logement domicile
flat apartment|wohnung|piso apartamento|appartement
room chamber|zimmer raum|habitacion cuarto sala|chambre salle piece
kitchen|kuche|cocina|cuisine
bathroom bath toilet loo|bad badezimmer klo toilette|bano aseo|bain toilettes
cellar basement|keller|sotano bodega|cave
attic loft|dachboden speicher|desvan atico|grenier combles
floor storey level|stock etage stockwerk|planta piso|etage
upstairs up above|oben|arriba|haut etage
garden yard plot|garten|jardin huerto|jardin potager
door gate entrance|tur tor eingang|puerta entrada|porte portail entree
window|fenster|ventana|fenetre
key keys|schlussel|llave llaves|cle cles clef
lock padlock|schloss vorhangeschloss|candado cerradura|cadenas serrure
cupboard cabinet wardrobe closet|schrank|armario|armoire placard
drawer|schublade|cajon|tiroir
box crate case carton chest|kiste karton schachtel truhe|caja|boite carton caisse
bag sack luggage suitcase backpack|tasche koffer rucksack gepack|bolsa maleta mochila equipaje|sac valise bagage
table desk|tisch schreibtisch|mesa escritorio|table bureau
bed mattress|bett matratze|cama colchon|lit matelas
lamp light bulb lighting|lampe licht birne|luz lampara bombilla|lampe lumiere ampoule
socket outlet plug|steckdose stecker|enchufe|prise
electricity power current electric|strom elektrisch|electricidad luz corriente|electricite courant
fuse breaker|sicherung|fusible diferencial|disjoncteur fusible tableau
heating heater radiator boiler|heizung heizkorper kessel|calefaccion radiador caldera|chauffage radiateur chaudiere
fridge refrigerator|kuhlschrank|nevera frigorifico|frigo refrigerateur
freezer freeze frozen|gefrierschrank tiefkuhler einfrieren|congelador congelar|congelateur geler
oven stove kiln|ofen herd backofen|horno|four
dishwasher machine|spulmaschine maschine|lavavajillas maquina|vaisselle machine
wash clean cleaning rinse|waschen putzen reinigen spulen|lavar limpiar limpieza|laver nettoyer rincer nettoyage
rubbish garbage trash waste bin|mull abfall tonne|basura residuo|poubelle ordures dechet
tap pipe plumbing water|wasser hahn rohr|agua grifo tuberia|eau robinet tuyau
roof gutter|dach dachrinne|tejado canalon|toit gouttiere
wall|wand mauer|pared muro|mur
paint painter colour|farbe anstrich streichen maler|pintura pintar color|peinture peindre couleur
tool tools|werkzeug|herramienta|outil
neighbour neighbor next|nachbar nachbarin|vecino vecina|voisin voisine
landlord owner lessor|vermieter eigentumer|propietario dueno casero|proprietaire bailleur
tenant renter lodger|mieter|inquilino|locataire
rent lease|miete|alquiler renta|loyer bail
own belong owner property|gehoren eigentumer besitzen|pertenecer dueno propiedad|appartenir proprietaire
insurance insure insured cover covered|versicherung versichert|seguro asegurar|assurance assurer couvert
contract agreement deal|vertrag vereinbarung|contrato acuerdo|contrat accord
sign signature signed signs|unterschrift unterschreiben|firma firmar marca|signature signer marque
letter mail post|brief post|carta correo|lettre courrier
email mail|mail email|correo email|mail courriel email
message text sms chat|nachricht kurznachricht sms|mensaje sms|message texto sms
phone telephone call ring number|telefon anrufen handy nummer|telefono movil llamar|telephone portable appeler
talk speak discuss chat conversation|reden sprechen gesprach|hablar charlar conversar|parler discuter
say tell mention state|sagen erzahlen|decir contar|dire raconter
ask question request|fragen bitten anfrage|preguntar pedir|demander
answer reply respond response|antwort antworten|responder contestar respuesta|repondre reponse
hear listen deaf hearing|horen taub|oir escuchar sordo|entendre ecouter sourd
see look watch view eyes|sehen schauen blicken|ver mirar|voir regarder
read reading|lesen|leer lectura|lire lecture
write note written|schreiben notieren|escribir apuntar|ecrire noter
record log entry|aufzeichnen protokoll eintragen|registro anotar|registre noter releve
count number counted|zahlen anzahl|contar numero|compter nombre
measure gauge reading|messen messung|medir medida|mesurer mesure
weigh weight|wiegen gewicht|pesar peso|peser poids
temperature degree warm heat hot|temperatur grad warm heiss|temperatura grado calor caliente|temperature degre chaud chaleur
cold cool chilly|kalt kuhl|frio fresco|froid frais
dry drying|trocken trocknen|seco secar|sec secher
wet moist damp humid|nass feucht|mojado humedo|mouille humide
rain rainy|regen|lluvia llover|pluie pleuvoir
sun sunny daylight sunshine|sonne|sol|soleil
morning breakfast dawn early|morgen morgens fruh vormittag fruhstuck|manana desayuno temprano|matin tot
noon midday lunch|mittag mittags mittagessen|mediodia almuerzo comida|midi dejeuner
evening dinner supper tonight|abend abends abendessen|tarde noche cena|soir diner
night bed bedtime sleep asleep overnight|nacht nachts schlafen|noche dormir|nuit dormir coucher
midnight twelve|mitternacht|medianoche|minuit
daily day everyday|taglich tag|diario dia|quotidien jour journee
weekly week|wochentlich woche|semanal semana|hebdomadaire semaine
monthly month|monatlich monat|mensual mes|mensuel mois
yearly annual year annually|jahrlich jahr|anual ano|annuel an annee
quarterly quarter|quartal vierteljahrlich|trimestre trimestral|trimestre trimestriel
twice two double both pair pairs|zweimal zwei doppelt beide paar|dos doble ambos par|deux double paire fois
half middle|halb halfte|mitad medio|moitie demi
once single|einmal einzeln|una vez unico|unique seul
all everything every whole complete|alle alles jede ganz komplett|todo toda entero completo|tout tous entier complet
nobody none no never|niemand keiner nie niemals|nadie ninguno nunca|personne aucun jamais
only just exclusively solely nothing|nur ausschliesslich nichts|solo exclusivamente unicamente|seulement uniquement rien
always permanent forever ever unlimited|immer stets dauerhaft|siempre permanente|toujours permanent
before previous beforehand prior eve ahead|vor vorher vortag|antes previo vispera|avant prealable veille
after afterwards later then following|nach danach spater|despues luego|apres ensuite puis
wait delay pause break rest|warten pause|esperar pausa descanso reposo|attendre pause repos
begin start open launch|anfangen beginnen starten|empezar comenzar iniciar|commencer debuter demarrer
end stop finish close cease over|enden aufhoren schluss|terminar acabar fin cerrar|finir terminer arreter fin
open opening hours|offen offnen offnungszeiten|abrir abierto horario|ouvrir ouvert ouverture horaire
closed shut close off|geschlossen zu schliessen|cerrado cerrar|ferme fermer
last endure duration long|dauern dauer lang|durar duracion|durer duree
deadline due latest until limit|frist fallig spatestens termin|plazo limite vencer|delai echeance limite
date day appointment calendar schedule|termin datum kalender|fecha cita calendario|date calendrier
birthday born|geburtstag geboren|cumpleanos nacer|anniversaire ne
holiday vacation leave holidays off|urlaub ferien|vacaciones|vacances conge
trip journey travel tour|reise fahrt ausflug|viaje excursion|voyage trajet sortie
flight fly plane airline|flug fliegen flugzeug|vuelo volar avion|vol voler avion
train rail railway station|zug bahn bahnhof|tren estacion|train gare
car vehicle van automobile|auto wagen fahrzeug pkw|coche carro vehiculo|voiture vehicule
bike bicycle cycle|fahrrad rad|bici bicicleta|velo bicyclette
boat ship sail|boot schiff|barco|bateau
walk stroll hike foot|gehen spazieren laufen wandern|caminar andar paseo|marcher promener balade
run running jog race|laufen rennen lauf|correr carrera|courir course
drive driving driver|fahren fahrer|conducir conductor|conduire conducteur
park parking|parken parkplatz|aparcar aparcamiento|garer parking
tyre tire wheel wheels|reifen rad felge|rueda neumatico|pneu roue
fuel petrol gas diesel|benzin sprit tanken|gasolina combustible|essence carburant
luggage hold cabin hand|handgepack|cabina mano|cabine soute
hotel inn guesthouse stay lodging sleep|hotel pension ubernachten gasthof|hotel posada alojar alojamiento|hotel auberge loger
ticket entrance admission entry|karte eintritt ticket|entrada billete|billet entree
money cash coin fund|geld bar kasse|dinero efectivo caja|argent especes caisse
pay paid payment fee charge cost costs price|zahlen bezahlen zahlung kosten preis gebuhr|pagar pago precio costar cuota tarifa|payer paiement prix couter cout tarif
bill invoice receipt|rechnung beleg quittung|factura recibo|facture recu
free gratis nothing|kostenlos umsonst gratis frei|gratis|gratuit
cheap inexpensive|billig gunstig|barato|pas cher bon marche
expensive dear|teuer|caro|cher
buy purchase order shop|kaufen bestellen besorgen|comprar pedir encargar|acheter commander
sell sale sold|verkaufen verkauf|vender venta|vendre vente
save discount|sparen rabatt|ahorrar descuento|economiser remise reduction
account bank|konto bank|cuenta banco|compte banque
tax vat|steuer mehrwertsteuer|impuesto iva|impot taxe tva
salary wage wages pay income|gehalt lohn|sueldo salario nomina|salaire paie
job work employment occupation|arbeit beruf job|trabajo empleo|travail emploi metier
company firm business employer|firma unternehmen betrieb|empresa|entreprise societe boite
office|buro|oficina despacho|bureau
boss manager head chief lead leader leads|chef leiter chefin leiten|jefe jefa director dirigir|chef patron directeur diriger
colleague coworker teammate staff employee|kollege kollegin mitarbeiter|companero colega empleado|collegue employe
customer client|kunde kundin|cliente|client
supplier vendor delivers deliver delivery|lieferant liefern lieferung|proveedor entregar entrega suministro|fournisseur livrer livraison
meeting gather meet gathering session|treffen sitzung besprechung|reunion encuentro|reunion rencontre seance
team group crew band|mannschaft gruppe team|equipo grupo|equipe groupe
club association society|verein klub|club asociacion|club association
member membership subscription|mitglied mitgliedschaft beitrag|socio miembro cuota|membre adherent cotisation
vote elect election choose|wahlen wahl abstimmen|votar elegir eleccion|voter elire election
decide decision approve approval yes permission allow allowed permit|entscheiden genehmigen erlauben erlaubnis durfen|decidir aprobar permitir permiso|decider approuver permettre permission autorise
forbid ban forbidden prohibited refuse|verboten verbieten untersagt|prohibir prohibido|interdire interdit
must need require necessary compulsory|mussen brauchen notig pflicht|deber necesitar obligatorio|devoir falloir obligatoire besoin
rule policy regulation principle|regel vorschrift|regla norma|regle norme
problem issue trouble fault|problem fehler storung|problema fallo|probleme panne souci
error bug wrong mistake|fehler falsch|error equivocado|erreur faux
repair fix mend|reparieren flicken richten|reparar arreglar|reparer arranger
break broken damage defect|kaputt defekt schaden|roto romper dano averia|casse abime panne degat
replace exchange swap substitute change|ersetzen austauschen wechseln|sustituir cambiar reemplazar|remplacer changer echanger
remove delete erase drop|entfernen loschen|quitar borrar eliminar|enlever supprimer effacer
keep retain store stored preserve hold|behalten aufbewahren lagern|guardar conservar|garder conserver stocker
put place lay set|legen stellen setzen|poner colocar meter|mettre poser placer
take carry bring fetch|nehmen bringen tragen holen|tomar llevar traer recoger|prendre porter apporter
give hand return|geben abgeben zuruckgeben|dar entregar devolver|donner rendre remettre
send ship forward|schicken senden|enviar mandar|envoyer expedier
get receive obtain|bekommen erhalten|recibir obtener|recevoir obtenir
find locate search seek|finden suchen|encontrar buscar|trouver chercher
lose lost missing|verlieren verloren fehlen|perder falta|perdre manquer
hide hidden secret|verstecken geheim|esconder secreto|cacher secret
show display present screen|zeigen anzeigen bildschirm|mostrar pantalla|montrer afficher ecran
use employ utilise apply|benutzen verwenden nutzen|usar utilizar|utiliser employer servir
make create build produce|machen bauen herstellen|hacer crear construir|faire creer construire fabriquer
help assist support|helfen hilfe unterstutzen|ayudar ayuda|aider aide
try attempt test|versuchen probieren|intentar probar|essayer tester
check inspect verify control|prufen kontrollieren nachsehen|comprobar revisar controlar|verifier controler
like love enjoy prefer fond favourite favorite|mogen lieben gern lieber bevorzugen|gustar preferir encantar favorito|aimer adorer preferer prefere
dislike hate disgusting loathe|hassen mag eklig|odiar detestar asco|detester hair degoutant
want wish would desire|wollen wunschen mochten|querer desear|vouloir souhaiter desirer
avoid without skip except|vermeiden ohne ausser|evitar sin salvo|eviter sans sauf
remember remind reminder forget|erinnern merken vergessen|recordar acordarse olvidar|rappeler souvenir oublier
know knowledge|wissen kennen|saber conocer|savoir connaitre
learn study learned|lernen studieren|aprender estudiar|apprendre etudier
teach teacher instructor tutor tutoring|lehrer lehrerin unterrichten|ensenar profesor maestro tutor tutoria|enseigner professeur prof maitre
school class classroom|schule klasse|escuela colegio clase|ecole college classe
student pupil trainee|schuler student azubi|alumno estudiante|eleve etudiant stagiaire
exam test quiz|prufung klausur test|examen prueba|examen controle
lesson course class workshop|stunde kurs unterricht|leccion curso clase|lecon cours
book novel|buch roman|libro novela|livre roman
library|bibliothek bucherei|biblioteca|bibliotheque
paper sheet page|papier blatt seite|papel hoja|papier feuille
photo picture image|foto bild|foto imagen|photo image
film movie|film|pelicula|film
music song tune piece|musik lied stuck|musica cancion tema|musique chanson morceau
concert gig performance|konzert auftritt|concierto actuacion|concert
play theatre drama stage|theater buhne stuck|teatro obra escenario|theatre piece scene
instrument violin cello piano guitar|instrument geige cello klavier gitarre|instrumento violin violonchelo piano guitarra|instrument violon violoncelle piano guitare
tune tuning pitch|stimmen stimmung|afinar|accorder accordage
practise practice rehearse rehearsal training|uben probe proben training|practicar ensayar ensayo entrenar|pratiquer repeter repetition entrainement
sing singer choir voice|singen sanger chor stimme|cantar coro voz|chanter choeur voix chorale
dance|tanzen tanz|bailar baile|danser danse
sport game match|sport spiel|deporte partido juego|sport match jeu
swim swimming pool|schwimmen schwimmbad|nadar piscina|nager piscine natation
coach trainer|trainer trainerin|entrenador|entraineur coach
child kid son daughter baby boy girl|kind sohn tochter baby junge madchen|hijo hija nino nina bebe|enfant fils fille bebe
mother mum mom mama|mutter mama|madre mama|mere maman
father dad papa|vater papa|padre papa|pere papa
parent parents mother father mum dad fathers|eltern mutter vater|padres madre padre|parents mere pere
grandmother grandma granny nan|grossmutter oma|abuela|mamie
grandfather grandpa|grossvater opa|abuelo|papi
brother sister sibling|bruder schwester geschwister|hermano hermana|frere soeur
husband spouse partner wife|mann ehemann frau ehefrau partner|marido esposo mujer esposa pareja|mari femme epoux conjoint
aunt uncle|tante onkel|tia tio|tante oncle
friend pal buddy|freund freundin|amigo amiga|ami amie copain copine
guest visitor visit|gast besuch besucher|invitado visita huesped|invite visiteur visite
people person everybody|leute mensch person|gente persona|gens personne
man guy lad|mann kerl|hombre tipo|homme gars
woman lady|frau dame|mujer senora|femme dame
name called title|name heissen titel|nombre llamarse titulo|nom appeler titre
party celebration celebrate feast|feier fest feiern party|fiesta celebrar|fete celebrer
wedding marriage marry|hochzeit heirat heiraten|boda casarse|mariage marier
funeral burial|beerdigung begrabnis|entierro funeral|enterrement obseques
church mass|kirche messe|iglesia misa|eglise messe
present gift|geschenk|regalo|cadeau
food eat meal eating|essen mahlzeit speise|comida comer|nourriture manger repas
drink drinking beverage|trinken getrank|beber bebida|boire boisson
feed feeding fed|futtern futter|alimentar pienso|nourrir gamelle
bread loaf bun|brot laib brotchen|pan hogaza|pain miche
cake pie tart|kuchen torte|pastel tarta|gateau tarte
flour dough|mehl teig|harina masa|farine pate
sugar sweet|zucker suss|azucar dulce|sucre doux
salt|salz|sal|sel
milk dairy|milch|leche|lait
meat beef pork|fleisch rind schwein|carne|viande
fish salmon shellfish seafood shrimp|fisch lachs garnele|pescado salmon marisco|poisson saumon crevette
vegetable potato potatoes|gemuse kartoffel|verdura patata|legume patate
fruit apple berry|obst frucht apfel|fruta manzana|fruit pomme
nut nuts almond hazelnut cashew|nuss nusse mandel haselnuss|nuez almendra avellana|noix amande noisette
coffee espresso|kaffee|cafe|cafe
tea|tee|te|the
beer|bier|cerveza|biere
wine|wein|vino|vin
cook bake recipe|kochen backen rezept|cocinar hornear receta|cuisiner cuire recette
knife blade|messer klinge|cuchillo|couteau lame
cup mug glass bowl|tasse becher glas schussel|taza vaso cuenco|tasse verre bol
pot pan|topf pfanne|olla sarten|casserole poele
allergy allergic intolerant tolerate rash|allergie allergisch vertragen ausschlag|alergia alergico|allergie allergique
medicine drug pill tablet medication|medizin tablette medikament pille|medicina pastilla medicamento|medicament pilule comprime
doctor physician gp|arzt arztin doktor|medico doctor|medecin docteur
hospital clinic surgery practice|krankenhaus klinik praxis|hospital clinica consulta|hopital clinique cabinet
patient|patient patientin|paciente|patient
ill sick illness disease diagnosis|krank krankheit diagnose leiden|enfermo enfermedad diagnostico|malade maladie diagnostic
pain hurt ache sore|schmerz weh|dolor doler|douleur mal
injury wound accident|verletzung unfall wunde|herida lesion accidente|blessure accident
blood sugar glucose|blut zucker|sangre glucosa|sang glycemie
heart pulse|herz puls|corazon pulso|coeur pouls
tooth teeth dentist|zahn zahnarzt|diente dentista|dent dentiste
glasses lens|brille|gafas|lunettes
hair|haar haare|pelo|cheveu cheveux
hand finger fingers|hand finger|mano dedo|main doigt
foot shoe shoes boots boot|fuss schuh schuhe stiefel|pie zapato bota|pied chaussure botte
clothes clothing dress wear costume uniform|kleidung kleid tragen tracht uniform anziehen|ropa vestido llevar uniforme|vetement robe porter tenue
jacket coat|jacke mantel|chaqueta abrigo|veste manteau
hat cap|hut mutze|sombrero gorra|chapeau bonnet
dog puppy hound animal|hund hunde tier|perro animal|chien animal bete
cat kitten|katze|gato|chat
horse pony|pferd|caballo|cheval
bird hen chicken|vogel huhn|pajaro gallina|oiseau poule
bee hive|biene bienenstock|abeja colmena|abeille ruche
plant flower grow|pflanze blume|planta flor|plante fleur
tree wood forest|baum holz wald|arbol madera bosque|arbre bois foret
grass lawn meadow|gras rasen wiese|cesped prado|herbe pelouse pre
compost soil earth|kompost erde boden|compost tierra|compost terre
water watering pour|giessen bewassern|regar riego|arroser arrosage
glue adhesive paste|kleber leim klebstoff|pegamento cola|colle
leather skin|leder haut|cuero piel|cuir peau
sand sandpaper rub|schleifen schmirgeln|lijar|poncer frotter
metal iron steel|metall eisen stahl|metal hierro acero|metal fer acier
computer laptop machine pc|rechner computer laptop|ordenador portatil|ordinateur portable
server host box|server rechner|servidor|serveur
network internet connection online offline|netz netzwerk internet|red internet conexion|reseau internet connexion
wifi wlan wireless|wlan wifi|wifi|wifi
printer print|drucker drucken|impresora imprimir|imprimante imprimer
file document|datei dokument|archivo fichero documento|fichier document
folder directory|ordner verzeichnis|carpeta|dossier repertoire
disk disc drive storage|platte festplatte laufwerk|disco|disque
backup copy save|sicherung backup kopie|copia respaldo seguridad|sauvegarde copie
password passphrase credential|passwort kennwort|contrasena clave|mot passe
login signin session sign|anmelden anmeldung einloggen einwahlen|sesion iniciar acceder|connexion session connecter
user account|benutzer nutzer|usuario|utilisateur
program software app application|programm software app|programa aplicacion|logiciel application programme
code source|code quelltext|codigo|code
test tests ci check suite|test tests|prueba test|test
deploy release ship deployment rollout|ausliefern release deployen veroffentlichen|desplegar publicar lanzar|deployer publier livrer
merge push commit|mergen pushen|fusionar subir|fusionner pousser
branch main|zweig|rama|branche
database db table|datenbank tabelle|base datos tabla|base donnees table
query search|abfrage suche|consulta busqueda|requete recherche
api endpoint interface|schnittstelle api endpunkt|interfaz api|interface api
port address listen|port adresse|puerto direccion|port adresse
alert alarm warning notify notification beep|alarm warnung benachrichtigung melden|alarma alerta avisar pitar|alarme alerte avertir
monitor dashboard metric|uberwachung kennzahl|monitor metrica panel|surveillance metrique
retry again repeat repeated|wiederholen erneut nochmal|reintentar repetir otra|recommencer repeter
version upgrade update|version aktualisieren update|version actualizar|version mise jour
setting configuration config option|einstellung konfiguration|ajuste configuracion|reglage configuration parametre
language tongue|sprache|idioma lengua|langue
button key press|knopf taste drucken|boton tecla pulsar|bouton touche appuyer
line row|zeile reihe|linea fila renglon|ligne rangee
sum total amount|summe gesamt betrag|suma total importe|somme total montant
round rounding|runden|redondear|arrondir
budget limit cap ceiling maximum|budget grenze hochstens maximal|presupuesto limite maximo tope|budget limite plafond maximum
minimum least lowest|mindestens minimum|minimo menos|minimum moins
more over above exceed exceeds|mehr uber hoher|mas encima superar|plus dessus depasser
less under below fewer|weniger unter|menos debajo|moins dessous
high tall top|hoch|alto|haut eleve
low|niedrig tief|bajo|bas
large big huge|gross|grande|grand gros
small little tiny|klein|pequeno|petit
fast quick soon swift|schnell flott rasch|rapido pronto|rapide vite
slow slowly|langsam|lento|lent
old ancient former|alt|viejo antiguo|vieux ancien
new fresh recent|neu frisch|nuevo reciente|nouveau neuf recent
good fine well|gut|bueno bien|bon bien
bad poor|schlecht|malo mal|mauvais
easy simple|leicht einfach|facil sencillo|facile simple
hard difficult|schwer schwierig|dificil|difficile dur
important main essential|wichtig|importante|important
safe secure security safety|sicher sicherheit|seguro seguridad|sur securite
loud noise noisy sound|laut larm gerausch|ruido sonido fuerte|bruit son fort
quiet silent calm|leise ruhig still|silencio tranquilo|calme silence
bright sharp|hell|claro brillante|clair lumineux
dark black|dunkel schwarz|oscuro negro|sombre noir
white|weiss|blanco|blanc
red|rot|rojo|rouge
blue|blau|azul|bleu
green|grun|verde|vert
yellow|gelb|amarillo|jaune
round circle dot spot|rund kreis punkt|redondo circulo punto|rond cercle point pastille
part piece section portion|teil stuck abschnitt|parte pieza trozo|partie morceau
list table|liste|lista|liste
number figure digit|zahl nummer ziffer|numero cifra|chiffre numero
middle centre center|mitte zentrum|centro medio|milieu centre
behind back rear|hinten hinter|detras trasero|derriere arriere
beside next by near close|neben nahe|junto cerca lado|cote pres
inside within interior|innen drinnen|dentro interior|dedans interieur
outside outdoor outdoors|aussen draussen|fuera exterior|dehors exterieur
town city village municipality|stadt dorf gemeinde|ciudad pueblo municipio|ville village commune
street road path|strasse weg|calle camino|rue route chemin
shop store market supermarket|laden geschaft markt|tienda mercado|magasin boutique marche
restaurant pub cafe canteen|restaurant kneipe gasthaus kantine|restaurante bar comedor|restaurant cafe cantine
beach sea ocean coast|strand meer kuste|playa mar costa|plage mer cote
mountain hill summit|berg hugel gipfel|montana monte cumbre|montagne colline sommet
river lake|fluss see|rio lago|riviere fleuve lac
speed pace|tempo geschwindigkeit|velocidad ritmo|vitesse allure
habit routine usually|gewohnheit routine|costumbre rutina|habitude routine
reason because why|grund weil|razon porque motivo|raison parce motif
idea plan intention|idee plan vorhaben|idea plan|idee projet
care look after mind|kummern aufpassen pflegen|cuidar ocuparse|soigner occuper garder
responsible charge duty|zustandig verantwortlich dienst|responsable encargado turno|responsable charge garde
watch guard supervise|bewachen aufsicht|vigilar|surveiller garder
win winner prize|gewinnen sieg preis|ganar premio|gagner prix
fall drop sink flat|fallen sinken|caer bajar|tomber baisser
rise increase climb grow peak|steigen wachsen erhohen|subir aumentar crecer|monter augmenter grandir
turn switch change|drehen wenden umschalten|girar cambiar|tourner changer
cut trim|schneiden|cortar|couper
fill full|fullen voll|llenar lleno|remplir plein
empty clear|leer leeren|vacio vaciar|vide vider
mix stir blend|mischen ruhren|mezclar remover|melanger remuer
press push|drucken schieben|apretar empujar|presser pousser
pull draw|ziehen|tirar|tirer
hang|hangen|colgar|pendre accrocher
stand sit seat chair bench stool|stehen sitzen sitz stuhl bank|sentar silla asiento banco|asseoir siege chaise banc
happy glad joy|glucklich froh freude|feliz alegre|heureux content
sad unhappy|traurig|triste|triste
angry cross|wutend bose|enfadado|fache en colere
afraid fear scared nervous|angst furcht|miedo temer|peur craindre
tired exhausted|mude|cansado|fatigue
sorry apologise|entschuldigung|perdon disculpa|pardon desole
thanks thank|danke danken|gracias agradecer|merci remercier
"""

# Each sense: language -> its words.
ROWS = tuple(
    {tongue: words.split() for tongue, words in zip(TONGUES, row.split("|"), strict=True)}
    for row in _TABLE.strip().split("\n")
)
_NONE: frozenset[int] = frozenset()


@cache
def _senses(tongue: str) -> dict[str, frozenset[int]]:
    """Root -> the numbers of its senses."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for number, row in enumerate(ROWS):
        for word in row[tongue]:
            found[root(folded(word), tongue)].add(number)
    found.pop("", None)
    return {rooted: frozenset(numbers) for rooted, numbers in found.items()}


def of(rooted: str, tongue: str) -> frozenset[int]:
    """The numbers of the senses that a root may have in a language. A sense has one number for all languages."""
    return _senses(tongue).get(rooted, _NONE)
