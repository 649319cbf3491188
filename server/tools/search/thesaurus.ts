import { stemmer } from "stemmer";

/**
 * Words of general English and of programming that mean nearly the same; a line is a group. No product, project or person
 * has its name here, because the vocabulary must fit any set of tools.
 */
const groups = `
get retrieve fetch obtain read show display view give load access see look open
list enumerate browse listing contained entries
list show all available
search find look lookup locate discover query seek hunt
query select row match
create make new add build generate produce compose construct
insert add append put include attach
write save store persist keep record
save export download write
update edit modify change alter adjust revise amend patch set
delete remove erase drop clear rid discard destroy purge wipe
move rename relocate transfer
copy duplicate clone
send deliver transmit forward dispatch message notify
post publish share upload submit
run execute launch start invoke trigger perform
stop cancel end terminate kill abort halt
convert transform translate turn change
translate language translation foreign interpret multilingual
compute calculate calculation determine estimate evaluate work formula
solve equation math mathematics arithmetic algebra calculator calculation formula
compare comparison difference diff versus contrast
analyze analysis examine inspect assess evaluate insight study investigate
summarize summary overview recap digest condense abstract gist
describe explain detail schema structure information
check verify validate confirm test ensure
watch monitor track follow observe
plan schedule organize arrange itinerary
recommend suggestion suggest advice recommendation tip idea guide
merge join combine concatenate unite
connect link relate relation relationship association
split divide separate partition
sort order rank arrange
filter select narrow restrict
count number total quantity amount many
draw plot chart graph diagram visualize visualization render figure
switch checkout swap
undo revert reset restore unstage rollback
commit record revision history version log
branch fork
repository repo git code project codebase
pull merge request
index stage staged staging
allow permit accessible access permission authorize
folder directory dir subfolder subdirectory path
file document disk
nested recursive tree hierarchy subfolder
metadata info information property attribute size timestamp detail
text content string word written
photo image picture photograph visual
picture illustration art drawing artwork painting
video clip footage movie youtube stream
movie film cinema show tv television series episode streaming watch
song music playlist track album tune artist melody genre rock jazz pop
music soundtrack audio chord instrument guitar piano
audio sound voice speech spoken recording listen mp3 wav
speech speak pronunciation say spoken conversation
voice narration tts text speech read aloud
podcast episode audio listen
transcript transcription caption subtitle
ocr scan extract handwriting recognize
table database sql relational
column field schema type
database record row sql table query
entity record item object
node entity graph knowledge
note memo reminder notebook
note observation memory knowledge
task todo reminder list project issue
remember recall memory memorize remind
memorize flashcard study learn vocabulary review repetition
website site webpage page web
url link address webpage domain
domain website registration hosting dns
internet web online google
web search internet engine
crawl scrape extract webpage browser
browser page tab click navigate web
webpage html markdown content
deploy launch publish host hosting release
server host machine instance cloud
cloud infrastructure deployment kubernetes container
app application software program mobile android ios
code program script snippet programming developer
function method api procedure
api endpoint request http webhook
package library dependency module
bug issue defect error problem
error log failure exception trace
test check unit assertion
email mail inbox message letter
message chat conversation text sms channel thread talk
meeting calendar event appointment schedule invite
calendar date event schedule day
time clock hour timezone date
timezone time zone convert
current now today present latest real-time
latest recent new current news update trending
trend trending popular hot viral
news headline article story press current event
article paper publication post blog
paper research academic scientific journal study scholar publication literature citation
science scientific research experiment
author writer creator
blog article post content website
write writing rewrite rephrase paraphrase polish compose essay draft content
grammar writing polish proofread spelling style improve
improve optimize enhance boost better refine polish
text human natural rewrite expression
story tale narrative fiction book storytelling
book novel read author library literature reading ebook
poem poetry verse
quote quotation saying
joke funny humor meme
game play player gaming puzzle
chess board piece move opponent
puzzle crossword riddle sudoku clue guess
dice roll random
quiz question survey questionnaire form test trivia
question answer ask faq
sport team league match score football soccer basketball baseball player tournament
score result match game standing
football soccer league club
race racing driver championship
fitness workout exercise gym training muscle
health medical medicine disease illness condition symptom
disease virus infection covid flu health
doctor physician hospital clinic patient
drug medicine medication pharmaceutical treatment
clinical trial study patient treatment
diet nutrition calorie food meal healthy eat weight
food meal dish dinner lunch recipe eat
recipe cook bake cooking dish ingredient kitchen meal
restaurant dining eat table reservation food cafe dinner
drink beverage wine beer cocktail coffee tea sake
grocery store supermarket shop
shop store buy purchase product item shopping order
buy purchase order acquire
product item goods merchandise brand
price cost expensive cheap fee rate value
cheap affordable discount deal coupon bargain save sale budget
gift present birthday holiday christmas anniversary
beauty cosmetic makeup skincare skin
fashion clothes clothing outfit wear apparel style dress shirt
review rating opinion feedback
pro con advantage disadvantage review
cart basket checkout shopping
payment pay invoice bill charge checkout
money finance financial cash fund
stock share equity market ticker invest
investment invest portfolio stock fund asset return
crypto cryptocurrency bitcoin ethereum coin token blockchain
price quote market stock
bank account loan mortgage credit debt
loan mortgage payment repayment interest payoff
tax vat duty revenue income
currency exchange convert money dollar euro pound yen rupee usd eur gbp
accounting ledger expense budget
company business firm corporation organization enterprise startup
company profile industry ceo employee
customer client user lead crm
sale sell revenue lead prospect customer
marketing advertising campaign ad advertisement promotion
ad advertisement advertising ppc campaign competitor
competitor competition rival
seo keyword ranking search traffic optimization backlink
traffic visitor analytics website
brand logo identity
design designer creative layout ui template
logo icon design graphic
social media post hashtag influencer twitter facebook instagram tweet
tweet twitter social
donate donation charity nonprofit ngo philanthropy charitable
grant funding fund opportunity
job career employment work vacancy hire position hiring opening
hire recruit talent freelancer candidate recruiter contractor
resume cv application job
interview job candidate preparation
salary wage pay income
course class learn lesson tutorial training education program university online
learn study education teach learning student
teach tutor teacher instructor coach
child kid children baby toddler
school university college student
language english spanish french german chinese japanese
exam test prep preparation
weather forecast temperature rain snow sunny climate humidity wind
forecast predict prediction
climate environment emission carbon
air quality pollution aqi
earthquake seismic disaster quake magnitude
ocean sea wave surf beach tide
travel trip journey vacation tour tourism holiday flight hotel
trip travel itinerary destination visit
attraction sightseeing tourist activity landmark museum visit
hotel accommodation stay room lodging airbnb booking
book reserve booking reservation
flight airline plane airport aviation ticket
aviation pilot flight airport aircraft
train railway rail station subway metro transit bus
route direction navigation navigate path drive driving
map location place navigation geographic
location place position address coordinate nearby near area
nearby near around close local
latitude longitude coordinate geocode location
address postal zip postcode geocode
city town place location
country nation region state
car vehicle auto automobile drive dealer
parking park lot car
electric charge charging charger ev battery
fuel petrol gas gasoline diesel
traffic road speed camera
ship vessel boat cargo
transport transporter haul shipping move carrier
delivery shipping package parcel courier
house home property estate apartment housing real
rent rental lease tenant apartment landlord
buy purchase house property home
room apartment flat bedroom
plant garden flower gardening indoor tree
animal pet dog cat wildlife livestock
space planet star galaxy astronomy mars moon nasa astronaut telescope
satellite orbit station space
astrology horoscope zodiac fortune tarot strology sign
zodiac horoscope daily sign
religion prayer faith islam bible quran spiritual
history historical past ancient century era event
past historical history archive snapshot rewind
law legal lawyer attorney regulation legislation court statute rule rights
politics political government election vote policy parliament congress
government public agency official
census population demographic statistic
statistic data figure number metric
data dataset information
metric measure performance benchmark
performance speed fast load
security vulnerability attack threat hack breach
password credential secret login breach
user account profile member
team member group people
person people name contact
contact phone email address
phone call telephone number
call phone meeting zoom
image generate picture art creative
image edit filter photo crop resize
edit photo image filter enhance
font ascii text style typography
color palette colour
shape geometry circle triangle area
qr code barcode scan
pdf document page file report
document report paper file
spreadsheet excel sheet csv workbook cell
slide presentation powerpoint deck
word document docx paragraph
chart graph bar pie plot
mindmap mind map diagram tree
word cloud wordcloud
markdown document md text
export save download output
import load upload ingest
archive zip compress
encrypt hash encode cipher
decode decrypt parse
json xml parse format
template format layout
automate automation workflow integrate integration app
integrate connect integration sync multiple application
ticket event concert show theater sport
concert event show live performance ticket
show theater play musical stage
event concert festival
habit routine goal daily
decision decide choice choose
goal objective target
personality type test
advice guidance counsel help
help assist support aid assistance
idea inspiration brainstorm creative suggestion
prompt idea creative instruction
name title label
tag label category
topic subject theme
keyword term word
similar related like alike
random shuffle
temperature heat degree
weight mass kilogram pound
distance length kilometer mile
length width height size dimension
volume capacity
unit convert measurement
probability chance likelihood
average mean median
maximum highest top best
minimum lowest
increase raise grow growth
decrease reduce lower
energy power electricity
water river lake
material substance
chemical chemistry compound molecule reaction
biology gene protein cell species
physics force motion
engineering mechanical structural
algorithm model machine learning
model train prediction
agent assistant ai bot
thought reason think thinking reasoning step problem
screenshot capture screen picture snapshot
queue job worker
process thread task
memory ram cpu
network ip address connection
device hardware sensor
terminal shell command bash
command shell terminal execute run cli
user person individual
parent ancestor mother father
temporary draft
exist available present
permanent persist
exact specific particular certain
several multiple many couple some
old previous past before earlier
whole complete entire full
product camera phone smartphone laptop computer printer headphone speaker tablet tv watch shoe electronics gadget appliance furniture toy bag
product price store shop brand online buy
apartment house housing property rent rental bedroom bathroom lease tenant landlord villa condo
sale purchase property home house apartment buy estate villa condo mortgage
etf dividend stock share fund bond yield earnings option portfolio investing finance financial
nft token crypto collection blockchain cryptocurrency finance
earnings revenue profit quarterly company stock financial
historical price stock market finance
commodity gold oil market finance
job position role vacancy career employment employer
skill course learn lesson training curriculum education
lecture course university education learn
mathematics physics chemistry quantum course lesson education learn
paper study publication journal arxiv doi abstract citation bibliography academic
effect study research paper
speech essay letter paragraph sentence rewrite writing rephrase
paragraph sentence paraphrase rewrite rephrase wording
repository open-source github project library code commit contributor
open source code repository
programming python javascript java code developer
ferry cruise boat ticket travel trip
train ticket travel trip
car rental hire travel
beach island mountain tourism travel attraction visit
city tour guide travel attraction
tour tourism travel destination itinerary
vegetarian vegan gluten protein calorie diet nutrition food
breakfast lunch dinner dessert cake cookie chicken pasta recipe cook
cuisine italian mexican chinese restaurant food
temperature humidity wind rain storm weather forecast
tomorrow weekend forecast weather
magnitude tremor epicenter earthquake
director officer shareholder founder headquarters company business
compliance regulation law legal statute act
contract clause agreement law legal
citizen right law legal
vote bill legislation politics law
volunteer nonprofit donation charity cause
birthday anniversary wedding gift present
girlfriend boyfriend wife husband mother father sister brother friend gift
genre comedy drama thriller horror movie show
actor actress director film movie
netflix streaming series show movie watch
singer band artist album song music
playlist song music mood
channel episode host podcast
visibility ranking keyword seo search engine
keyword volume search seo traffic
backlink domain authority seo
subdomain register domain name available
landing page website create publish
blog publish post website wordpress
brightness contrast crop filter image photo edit
background remove image edit
caption image describe photo
diagram flowchart graph chart mermaid
bar line scatter plot chart graph
translate phrase say language pronunciation
vocabulary flashcard memorize review
deadline reminder todo task note
groceries list todo reminder
rover mars moon galaxy nebula space nasa image
zodiac aries leo virgo libra scorpio pisces taurus gemini horoscope astrology
gossip celebrity news
headline breaking news
currency rate exchange convert usd eur conversion
flight plan aviation airport
homepage website past snapshot
look appearance website snapshot
compare laptop phone model difference product comparison
voucher promo code coupon discount deal
treatment therapy disease clinical trial
vaccine virus disease infection health
symptom disease condition health
server ssh remote command deploy
survey questionnaire form feedback
excel google sheet spreadsheet table
sheet gmail slack crm integration automation
joke pun meme funny
tile hero weapon quest level game
multiplayer console game
today tomorrow yesterday now date time current
stay night homestay accommodation room hotel
word document docx paragraph text
ppt pptx powerpoint slide presentation
value worth price estimate calculate
user person people member employee staff somebody
block suspend deactivate disable lock ban
remark comment reply feedback
bill invoice charge
folder node child content
duplicate copy
own holding portfolio position
live publish online
deploy deployment container
machine node server computer
write send email message
todo task checklist
tick toggle complete completion finish
wallet address balance
capture packet pcap traffic
app application
error exception issue crash
headline title heading
flat apartment housing rent
style theme format css
hole vulnerability weakness exploit
meaning semantic similarity embedding
break broke fail failed failure
settle resolve dispute complaint
company business firm organization
employee prospect contact lead
load ingest ingestion import
mistake bug error issue
requirement gate criterion policy
depend correlation relationship
address url location
boss manager colleague
laptop computer device machine
`;

const related = new Map<string, Set<string>>();
for (const line of groups.trim().split("\n")) {
  const stems = new Set(line.split(/[\s-]+/).map(stemmer));
  for (const stem of stems) {
    const known = related.get(stem) ?? new Set();
    for (const other of stems) if (other !== stem) known.add(other);
    related.set(stem, known);
  }
}

const none: ReadonlySet<string> = new Set();

/** Returns the stems of words that mean nearly the same as the word of a stem. */
export const relatedStems = (stem: string): ReadonlySet<string> => related.get(stem) ?? none;
