import { tokenize } from "@/server/retrieval/tokenize";

/** Words of requests in German, French, Spanish, Portuguese, Italian, Chinese and Japanese, by the English word that tools have. */
const words = `
create: erstellen anlegen legen erzeugen créer crear criar creare 创建 新建 作成
add: hinzufügen eintragen ergänzen ajouter añadir agregar adicionar aggiungere 添加 追加
delete: löschen entfernen supprimer effacer borrar eliminar excluir eliminare 删除 移除 削除
update: ändern aktualisieren bearbeiten modifier mettre actualizar modificar atualizar aggiornare modificare 更新 修改 変更
list: auflisten liste lister listar lista elencare 列出 列表 一覧
show: zeigen anzeigen afficher montrer mostrar mostrare 显示 查看 表示
search: suchen finden chercher rechercher trouver buscar encontrar procurar cercare trovare 搜索 查找 搜寻 検索 探す
read: lesen lire leer ler leggere 读取 阅读 読む
write: schreiben écrire escribir escrever scrivere 写入 编写 書く
send: senden schicken verschicken envoyer enviar mandar inviare 发送 送信
upload: hochladen hoch téléverser subir carregar caricare 上传 アップ
download: herunterladen télécharger descargar baixar scaricare 下载 ダウ
cancel: stornieren abbrechen absagen annuler cancelar annullare cancellare 取消 キャ
open: öffnen ouvrir abrir aprire 打开 開く
copy: kopieren copier copiar copiare 复制 コピ
move: verschieben déplacer mover spostare 移动 移動
translate: übersetzen traduire traducir traduzir tradurre 翻译 翻訳
calculate: berechnen rechnen calculer calcular calcolare 计算 計算
convert: umrechnen umwandeln convertir converter convertire 转换 変換
buy: kaufen acheter comprar comprare 购买 買う 購入
book: buchen réserver reservar prenotare 预订 予約
pay: bezahlen zahlen payer pagar pagare 支付 付款 支払
file: datei fichier archivo ficheiro arquivo 文件 ファ
folder: ordner verzeichnis dossier répertoire carpeta pasta cartella 文件夹 目录 フォ
document: dokument documento 文档 文書
table: tabelle tableau tabla tabela tabella 表格 数据表
database: datenbank base bdd datos dados 数据库 データ
image: bild foto photo imagen imagem immagine 图片 图像 画像 写真
message: nachricht mensaje mensagem messaggio 消息 信息 メッ
email: mail courriel correo 邮件 邮箱 メー
calendar: kalender calendrier calendario calendário 日历 カレ
appointment: termin rendez cita compromisso appuntamento 预约 约会
task: aufgabe aufgaben tâche tarea tarefa compito 任务 タス
customer: kunde kunden client cliente 客户 顧客
invoice: rechnung facture factura fatura fattura 发票 账单 請求
price: preis prix precio preço prezzo 价格 値段 価格
weather: wetter météo meteo clima tiempo tempo 天气 気象 天気
news: nachrichten actualités noticias notícias notizie 新闻 ニュ
flight: flug vol vuelo voo volo 航班 機票 飛行
hotel: hotel hôtel albergo 酒店 旅館
map: karte carte mapa mappa 地图 地図
music: musik musique música musica 音乐 音楽
video: video vidéo vídeo 视频 動画
user: benutzer nutzer utilisateur utilisateurs usuario usuarios usuário utente 用户 ユー
group: gruppe groupe grupo gruppo 群组 グル
project: projekt projet proyecto projeto progetto 项目 プロ
page: seite página pagina 页面 ペー
website: webseite site sitio sito 网站 网页
time: zeit uhrzeit heure hora ora 时间 時間
date: datum fecha data 日期 日付
translation: übersetzung traduction traducción tradução traduzione
error: fehler erreur fallo erro errore 错误 エラ
account: konto compte cuenta conta 账户 账号 口座
order: bestellung auftrag commande pedido ordine 订单 注文
share: aktie aktien action acciones ações azioni 股票 株式
text: texte texto testo 文本 文字
name: nome nombre 名称 名前
comment: kommentar kommentieren commentaire comentario comentário commento 评论 コメ
report: bericht rapport informe relatório rapporto 报告 報告
`;

/** Beginnings of Russian words, which have many endings, by the English word. */
const russian = `
create: созда
add: добав
delete: удал
update: обнов измен
list: спис
show: покаж показ
search: найд найт поиск искат
read: прочит чита
write: напиш запис
send: отправ
open: откр
copy: скопир копир
move: перемест
translate: перев
calculate: посчит вычисл рассчит
buy: купи куплю покуп
book: заброни брониров
pay: оплат заплат
upload: загруз закач
download: скача
cancel: отмен
file: файл
folder: папк
document: документ
table: таблиц
database: данных баз
image: картин изображ фото
message: сообщен
email: письм почт
calendar: календар
appointment: встреч
task: задач
customer: клиент покупател
invoice: счет счёт
price: цен
weather: погод
news: новост
flight: рейс перелет
hotel: отел гостиниц
map: карт
user: пользовател
group: групп
project: проект
page: страниц
website: сайт
time: врем
date: дат
error: ошиб
account: аккаунт
order: заказ
share: акци
text: текст
name: имен
comment: коммент
report: отчет отчёт
`;

const shortestStem = 4;
const english = new Map<string, Set<string>>();
for (const line of words.trim().split("\n")) {
  const [word = "", others = ""] = line.split(":");
  const [term = word] = tokenize(word);
  for (const other of tokenize(others)) english.set(other, (english.get(other) ?? new Set()).add(term));
}
/** The words without their endings: a request says `zeige` and `Tabellen`. Words of the list itself come first. */
const byStem = new Map<string, Set<string>>();
for (const [word, terms] of english) byStem.set(withoutEnding(word), new Set([...(byStem.get(withoutEnding(word)) ?? []), ...terms]));
const beginnings = russian
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [word = "", others = ""] = line.split(":");
    const [term = word] = tokenize(word);
    return tokenize(others).map((beginning) => ({ beginning, terms: new Set([term]) }));
  })
  .sort((a, b) => b.beginning.length - a.beginning.length);

function withoutEnding(term: string): string {
  const bare = term.replace(/(?:en|st|er|em|es|[etns])$/, "");
  return bare.length >= shortestStem ? bare : term;
}

const none: ReadonlySet<string> = new Set();

/** Returns the English terms for a term of another language. */
export function englishTerms(term: string): ReadonlySet<string> {
  const known = english.get(term);
  if (known) return known;
  if (/^\p{Script=Cyrillic}/u.test(term)) return beginnings.find(({ beginning }) => term.startsWith(beginning))?.terms ?? none;
  return byStem.get(withoutEnding(term)) ?? none;
}
