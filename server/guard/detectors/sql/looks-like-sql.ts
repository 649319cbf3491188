const name = String.raw`["\x60[]?[\w.$]+[\]"\x60]?(?:\.["\x60[]?\w+[\]"\x60]?)*`;
const ends = String.raw`\s*(?:;|$|--|/\*)`;

/** Text that follows the first word in SQL but not in prose. */
const afterFirstWord: Readonly<Record<string, string>> = {
  select: String.raw`(?:(?:distinct|all|top\s+\d+)\s+)?(?:[*'"\x60([@$\d-]|case\s|(?:[\w.]+\s*(?:[(,=+*/|:-]|\.\*|\s+(?:from|as|into)\s)|\w+\.\w))`,
  delete: String.raw`(?:from\b|${name}\s+from\s.*\b(?:where|join|using)\b)`,
  update: String.raw`[^;]{1,300}?\sset\s+${name}\s*=`,
  insert: String.raw`(?:\w+\s+)?into\s`,
  replace: String.raw`into\s+${name}\s*(?:\(|values|select)`,
  merge: String.raw`(?:into\s+)?${name}\s+(?:\w+\s+){0,2}using\s`,
  with: String.raw`(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s*)?\(`,
  drop: String.raw`(?:table|database|schema|view|index|user|role|column|function|procedure|trigger|sequence|extension|policy|owned|type|materialized)\s`,
  truncate: String.raw`(?:table\s+)?${name}(?:${ends}|\s*,|\s+(?:cascade|restart))`,
  alter: String.raw`(?:table|database|schema|user|role|login|group|policy|system|default\s+privileges)\s`,
  create: String.raw`(?:(?:or\s+replace|temp|temporary|unique|trusted|constraint|materialized|definer\s*=\s*\S+|if\s+not\s+exists)\s+)*(?:(?:table|view|function|procedure|index)\s+(?:if\s+not\s+exists\s+)?${name}\s*(?:\(|as\s|on\s)|(?:user|role|login|database|schema|extension|language|server|subscription|group)\s+(?:if\s+not\s+exists\s+)?(?:${name}|'\w+')(?:@\S+)?(?:${ends}|\s+(?:with|identified|superuser|login|password|foreign|handler|connection|cascade)\b)|(?:trigger|event|rule|policy)\s+${name}\s+(?:before|after|instead|on|as)\s)`,
  "(?:grant|revoke)": String.raw`(?:[\w,\s]{1,300}\son\s.*\s(?:to|from)\s|["\w]+\s+(?:to|from)\s+${name}${ends}|all\b)`,
  copy: String.raw`(?:${name}\s*(?:\([^)]*\)\s*)?|\(.*\)\s*)(?:from|to)\s+(?:'|program\b|stdin|stdout)`,
  load: String.raw`(?:data\s+(?:local\s+|infile)|')`,
  "exec(?:ute)?": String.raw`(?:immediate\b|\(|n?'|["[\]\w.]*(?:xp_|sp_)\w)`,
  do: String.raw`(?:language\s+\w+\s+)?(?:\$\w*\$|')`,
  set: String.raw`(?:(?:global|persist|persist_only)\s+\w+\s*=|@@|(?:(?:session|local)\s+)?(?:role|authorization|session\s+authorization)\s+\S+${ends})`,
  attach: String.raw`(?:database\s+)?'`,
  detach: String.raw`(?:table|view|dictionary)\s+${name}${ends}`,
  rename: String.raw`table\s+${name}\s+to\s`,
  vacuum: String.raw`.*into\s*'`,
  reset: String.raw`(?:master|slave|replica|persist)\b`,
  kill: String.raw`(?:(?:query|connection)\s+)?\d+${ends}`,
  explain: String.raw`.*\b(?:delete\s+from|update\s.*\sset|drop\s+table)\s`,
  prepare: String.raw`\w+\s+(?:from\s+'|as\s)`,
  begin: String.raw`(?:(?:transaction|work|tran)\s*)?;`,
  start: String.raw`transaction\s*;`,
};
const alternatives = Object.entries(afterFirstWord).map(([word, rest]) => `${word}\\b\\s*${rest}`);
const comments = String.raw`(?:\s|--[^\n]*\n|/\*(?!M?!)[^*]*\*/|[(;])*`;
const beginning = new RegExp(`^${comments}(?:/\\*M?!|${alternatives.join("|")})`, "is");

/** Returns whether a text begins as SQL does, beyond a first word that prose may share. */
export function looksLikeSql(text: string): boolean {
  return text.length > 4 && beginning.test(text.length > 6_000 ? text.slice(0, 6_000) : text);
}
