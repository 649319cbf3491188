/** Words of poisoned definitions to a model, in languages other than English. Gaps are bounded, as in `textChecks`. */
type Words = {
  /** "ignore", "previous" and "instructions", near each other in any order. */
  drop: readonly [string, string, string];
  /** "without telling … the user". */
  secrecy: readonly [string, string];
  /** "send … the credentials". */
  send: readonly [string, string];
  /** "system prompt". */
  prompt: string;
};

/** Of each language the stems that its forms begin with. */
const languages: readonly Words[] = [
  {
    drop: [
      "忽略|无视|無視|忘记|忘記|绕过|繞過|不要遵守|不要遵循",
      "之前|以前|先前|以上|上述|前面|所有|一切|全部|你的|您的|原有|系统|系統",
      "指令|指示|规则|規則|提示词|提示詞|约束|限制|要求|设定|設定",
    ],
    secrecy: [
      "不要|不得|切勿|勿|别(?=告|让|提|跟|和)|別(?=告|讓|提)|无需|無需|不必|请勿|請勿",
      "告诉用户|告訴用戶|告知用户|告知用戶|通知用户|通知用戶|让用户知道|讓用戶知道|询问用户|詢問用戶|提及|透露给用户",
    ],
    send: [
      "发送|發送|上传|上傳|转发|轉發|泄露|洩露|附上|提供|传给|包含",
      "密钥|密鑰|私钥|私鑰|密码|密碼|凭证|憑證|凭据|令牌|环境变量|環境變量|完整对话|对话记录|對話記錄|聊天记录|聊天記錄",
    ],
    prompt: "系统提示|系統提示",
  },
  {
    drop: [
      "無視|忽略|忘れ|従わない|上書き",
      "以前|これまで|上記|前の|先の|すべて|全て|あなた|システム|元の",
      "指示|命令|ルール|規則|プロンプト|制約|ガイドライン",
    ],
    secrecy: [
      "ユーザーに|利用者に|使用者に",
      "知らせ(?:ない|ず|るな)|伝え(?:ない|ず|るな)|言わない|教えない|通知しない|気づかれ|確認せず|尋ねず|秘密",
    ],
    send: [
      "送信|送って|送る|アップロード|転送|添付|漏ら|含めて",
      "秘密鍵|パスワード|認証情報|資格情報|トークン|環境変数|会話履歴|会話全体|APIキー",
    ],
    prompt: "システムプロンプト",
  },
  {
    drop: ["무시|잊어|따르지", "이전|앞의|위의|모든|기존|당신|너의|시스템", "지시|명령|규칙|프롬프트|지침|제약"],
    secrecy: ["사용자에게|사용자한테|유저에게", "알리지|말하지|언급하지|묻지|비밀"],
    send: ["보내|전송|업로드|전달|첨부|포함", "비밀번호|비밀 키|개인 키|자격 증명|토큰|환경 변수|대화 기록|대화 내용 전체"],
    prompt: "시스템 프롬프트",
  },
  {
    drop: [
      "ignor(?:a|e|ar|en)|olvid(?:a|e|ar)|descart(?:a|e|ar)|haz caso omiso|omite|desobede",
      "anterior|previa|todas|tus|sistema|precedente|cualquier",
      "instruccion|instrucciones|reglas|directrices|indicaciones|restricciones|órdenes",
    ],
    secrecy: [
      "no|sin|nunca|jamás",
      "(?:se lo |le )?(?:dig|decir|inform(?!a[cç])|mencion|avis|notifi(?!ca[cç])|revel|pregunt)\\w*.{0,20}(?:usuari|nadie|person)",
    ],
    send: [
      "env[ií](?:a|e|ar)|sub(?:e|ir)|reenv[ií]|adjunt|transmit|filtra|incluy",
      "contraseñ|credencial|clave privada|clave secreta|variables de entorno|historial completo|toda la conversación|conversación completa",
    ],
    prompt: "(?:prompt|mensaje|indicación) del sistema",
  },
  {
    drop: [
      "ignor(?:a|e|ar|em)|esque[cç]|descart|desconsider|desobede",
      "anterior|prévia|todas|tuas|suas|sistema|precedente|quaisquer",
      "instruç|regras|diretrizes|orientações|restrições|ordens",
    ],
    secrecy: [
      "não|sem|nunca|jamais",
      "(?:dig|diz|conte|inform(?!a[cç])|mencion|avis|notifi(?!ca[cç])|revel|pergunt)\\w*.{0,20}(?:usuári|utilizador|ninguém|pessoa)",
    ],
    send: [
      "envi(?:a|e|ar)|carreg|encaminh|anex|transmit|vaz(?:a|e)|inclu[ai]",
      "senha|credenciais|chave privada|chave secreta|variáveis de ambiente|histórico completo|toda a conversa|conversa completa",
    ],
    prompt: "(?:prompt|mensagem) do sistema",
  },
  {
    drop: [
      "ignore[rz]?|oublie[rz]?|outrepasse|ne (?:suis|suivez|tiens|tenez) pas|désobé",
      "précédent|antérieur|toutes|tes|vos|système|ci-dessus",
      "instructions?|consignes|règles|directives|contraintes|ordres",
    ],
    secrecy: [
      "ne|sans|jamais",
      "(?:di(?:s|re|tes)|inform(?!at)|mentionn|préven|signal|révél|avert|demand|en parl)\\w*.{0,25}(?:utilisat|personne|usager)",
    ],
    send: [
      "envo(?:ie|ye)|transme|télévers|transfér|joi(?:ns|gne|ndre)|divulg|inclu",
      "mots? de passe|identifiants|clés? privée|clés? secrète|variables d['’]environnement|historique complet|toute la conversation|conversation complète",
    ],
    prompt: "(?:prompt|invite|message) (?:du )?système",
  },
  {
    drop: [
      "ignorier|vergiss|missacht|missachte|übergeh|umgeh|befolge nicht|beachte nicht",
      "vorherig|vorig|bisherig|obig|früher|alle|deine|ihre|system",
      "anweisung|anleitung|regeln|vorgaben|richtlinien|einschränkung|befehl",
    ],
    secrecy: [
      "nicht|ohne|nie|niemals|kein",
      "(?:erwähn|erzähl|verrat|verrät)\\w*|(?:sag|mitteil|informier|zu fragen|wissen)\\w*.{0,25}(?:benutzer|nutzer|anwender)|(?:benutzer|nutzer|anwender)\\w*.{0,25}(?:erwähn|sag|mitteil|mitzuteil|informier|erzähl|verrat|zu fragen)",
    ],
    send: [
      "send|schick|übermittel|hochlad|lade .{0,30}hoch|leite .{0,30}weiter|weiterleit|anhäng|füge .{0,30}(?:bei|ein|hinzu)",
      "passw|zugangsdaten|anmeldedaten|private[rn]? schlüssel|geheime[rn]? schlüssel|umgebungsvariable|gesamte[nr]? (?:unterhaltung|gespräch|verlauf)|chatverlauf",
    ],
    prompt: "system-?(?:prompt|anweisung|nachricht)",
  },
  {
    drop: [
      "ignora(?:re|te)?|dimentica|trascura|non seguire|disobbedi",
      "precedent|tutte|tue|sistema|di prima|sopra",
      "istruzion|regole|direttive|vincoli|linee guida|ordini",
    ],
    secrecy: ["non|senza|mai", "(?:dir|dire|informar|menzion|avvis|notific(?!a)|rivel|chied)\\w*.{0,25}(?:utente|nessuno|persona)"],
    send: [
      "invia|inviare|carica|inoltra|allega|trasmett|includi",
      "password|credenziali|chiave privata|chiave segreta|variabili d['’]ambiente|cronologia completa|intera conversazione|tutta la conversazione",
    ],
    prompt: "(?:prompt|messaggio) di sistema",
  },
  {
    drop: [
      "игнорир|проигнорир|забуд|не следуй|не выполняй|нарушь|обойди",
      "предыдущ|прежн|все|всех|твои|свои|ваши|системн|выше",
      "инструкц|правил|указан|ограничен|промпт|запрет",
    ],
    secrecy: [
      "не|без|никогда",
      "(?:говор|сообща|сообщ|упомин|уведом|раскрыв|спраш|показыв|рассказ)\\p{L}*.{0,25}(?:пользовател|никому|человек)|ведома пользовател",
    ],
    send: [
      "отправ|перешл|перешли|загруз|переда|прилож|включи",
      "парол|учётн|учетн|закрыт\\p{L}* ключ|приватн\\p{L}* ключ|секретн\\p{L}* ключ|токен|переменн\\p{L}* (?:среды|окружения)|истори\\p{L}* (?:чата|переписки|диалога)|всю переписку",
    ],
    prompt: "системн\\p{L}* (?:промпт|подсказк|сообщен|инструкц)",
  },
  {
    drop: ["تجاهل|انس |لا تتبع|تخط", "السابقة|جميع|كل|أعلاه|النظام", "التعليمات|الأوامر|القواعد|القيود|الإرشادات"],
    secrecy: ["لا|دون|بدون", "(?:تخبر|إخبار|إعلام|تعلم|تذكر|ذكر|سؤال|تسأل).{0,20}(?:المستخدم|أحد)"],
    send: [
      "أرسل|ارسل|إرسال|ارفع|مرر|أرفق|ضمّن",
      "كلمات? المرور|كلمة السر|المفتاح الخاص|بيانات الاعتماد|متغيرات البيئة|المحادثة كاملة|سجل المحادثة",
    ],
    prompt: "موجه النظام|تعليمات النظام",
  },
];

/** The signs that may stand between two words of a sentence. */
const gap = "[^.!?。！？\\n]";
const near = (first: string, second: string): string => `(?:${first})${gap}{0,40}(?:${second})|(?:${second})${gap}{0,25}(?:${first})`;
/** Stems begin at the beginning of a word, except where words are not apart. */
const atWord = (words: string): string =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u.test(words) ? `(?:${words})` : `(?<![\\p{L}\\p{N}])(?:${words})`;
const pattern = (sources: readonly string[]): RegExp => new RegExp(sources.join("|"), "iu");

/** One pattern for each kind of order, over all languages. */
export const orders = {
  drop: pattern(languages.map(({ drop: [verb, which, noun] }) => near(atWord(verb), near(atWord(which), atWord(noun))))),
  secrecy: pattern(languages.map(({ secrecy: [negation, verb] }) => `${atWord(negation)}${gap}{0,30}?${atWord(verb)}`)),
  send: pattern(languages.map(({ send: [verb, noun] }) => near(atWord(verb), atWord(noun)))),
  prompt: pattern(languages.map(({ prompt }) => prompt)),
};
