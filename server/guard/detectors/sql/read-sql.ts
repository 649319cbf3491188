/** One token of a text in SQL; comments are none. */
export type SqlToken = {
  kind: "word" | "name" | "string" | "number" | "sign";
  /** A word in small letters; the content of a string or of a quoted name; a sign itself. */
  value: string;
  /** How many parentheses are open around it. */
  depth: number;
};

export type SqlReading = {
  /** Without those that are empty. */
  statements: readonly (readonly SqlToken[])[];
  isMysql: boolean;
  /** Why the text cannot be read to its end, as a sentence part; null when it can. */
  unreadable: string | null;
};

/** Where systems read the same text in two ways. */
type Flavour = {
  /** A backslash in a string takes the next character with it, `#` begins a comment, and a comment with `!` is run. */
  mysql: boolean;
};

/**
 * Reads a text as SQL, once as MySQL reads it and once as the standard and others do, where that differs: nobody says
 * which system it is for. Only quotes, comments and parentheses are understood, which takes time that grows with the
 * text and never faster; grammars of whole dialects take time and memory that a hostile text can choose.
 */
export function readSql(text: string): SqlReading[] {
  const standard = new Reader(text, { mysql: false }).read();
  return /[\\#"]|\/\*M?!|--\S|\$\w*\$|\/\*[^*]*\/\*/.test(text) ? [standard, new Reader(text, { mysql: true }).read()] : [standard];
}

const blanks = /\s+/y;
/** A name in MySQL; elsewhere what a program has a value for. */
const placeholder = /\$\d+(?![\w$])/y;
const beginsWord = /[\p{L}_@]/u;
const beginsNumber = /\d/;
const wholeWord = /[\p{L}_@][\p{L}\p{N}_@$#]*/uy;
/** Nearly every word; another one is read with all letters that there are. */
const plainWord = /[a-z_@][\w@$#]*(?=[^\w@$#\u0080-\uffff]|$)/iy;
const wholeNumber = /[\d.]+(?:e[+-]?\d+)?/iy;

class Reader {
  private at = 0;
  private depth = 0;
  private unreadable: string | null = null;
  private statement: SqlToken[] = [];
  private readonly statements = [this.statement];

  constructor(
    private readonly text: string,
    private readonly flavour: Flavour,
  ) {}

  read(): SqlReading {
    while (this.at < this.text.length && this.unreadable === null) this.readNext();
    if (this.depth > 0) this.unreadable ??= "a parenthesis is not closed";
    const statements = this.statements.filter((statement) => statement.length > 0);
    return { statements, isMysql: this.flavour.mysql, unreadable: this.unreadable };
  }

  private readNext(): void {
    const { text, at } = this;
    const character = text[at] ?? "";
    const next = text[at + 1];
    if (this.skipBlanks() || this.readPlainWord()) return;
    if (character === "-" && next === "-" && this.isDashComment()) this.skipLine();
    else if (character === "#" && this.flavour.mysql) this.skipLine();
    else if (character === "/" && next === "*") this.skipComment();
    else if (character === "*" && next === "/" && this.flavour.mysql) this.at += 2;
    else if (character === "'") this.readQuoted("'", "string");
    else if (character === '"') this.readQuoted('"', this.flavour.mysql ? "string" : "name");
    else if (character === "`") this.readQuoted("`", "name");
    else if (character === "$" && !this.flavour.mysql && this.readDollarQuoted()) return;
    else if (character === "$" && this.flavour.mysql && this.isAt(placeholder)) this.readPattern(placeholder, "word");
    else if (beginsWord.test(character)) this.readPattern(wholeWord, "word");
    else if (beginsNumber.test(character)) this.readPattern(wholeNumber, "number");
    else this.readSign(character);
  }

  private skipBlanks(): boolean {
    if (!this.isAt(blanks)) return false;
    this.at = blanks.lastIndex;
    return true;
  }

  private readPlainWord(): boolean {
    if (!this.isAt(plainWord)) return false;
    const value = this.text.slice(this.at, plainWord.lastIndex);
    this.at = plainWord.lastIndex;
    this.push("word", value.toLowerCase());
    return true;
  }

  /** MySQL wants a blank after the dashes: `5--1` is a number there. */
  private isDashComment(): boolean {
    return !this.flavour.mysql || /\s|^$/.test(this.text[this.at + 2] ?? "");
  }

  private skipLine(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }

  private skipComment(): void {
    const run = this.flavour.mysql ? /\/\*M?!\d*/y : null;
    if (run) {
      run.lastIndex = this.at;
      const [start] = run.exec(this.text) ?? [];
      // MySQL runs what stands in such a comment.
      if (start !== undefined) {
        this.at += start.length;
        return;
      }
    }
    const marks = /\/\*|\*\//g;
    marks.lastIndex = this.at;
    for (let open = 0, mark = marks.exec(this.text); mark; mark = marks.exec(this.text)) {
      // Comments stand inside comments in the standard, and not in MySQL.
      open = mark[0] === "*/" ? open - 1 : this.flavour.mysql ? 1 : open + 1;
      if (open === 0) {
        this.at = marks.lastIndex;
        return;
      }
    }
    this.unreadable = "a comment is not closed";
  }

  private readQuoted(quote: string, kind: "string" | "name"): void {
    const previous = this.statement.at(-1);
    const hasEscapes =
      quote !== "`" && (this.flavour.mysql || (quote === "'" && previous?.value === "e" && this.text[this.at - 1]?.toLowerCase() === "e"));
    let value = "";
    let from = this.at + 1;
    for (let at = from; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === "\\" && hasEscapes) at += 1;
      else if (character === quote && this.text[at + 1] === quote) {
        value += this.text.slice(from, at + 1);
        at += 1;
        from = at + 1;
      } else if (character === quote) {
        this.at = at + 1;
        this.push(kind, value + this.text.slice(from, at));
        return;
      }
    }
    this.unreadable = "a quote is not closed";
  }

  private readDollarQuoted(): boolean {
    const tag = /\$(?:[\p{L}_]\w*)?\$/uy;
    tag.lastIndex = this.at;
    const [mark] = tag.exec(this.text) ?? [];
    if (mark === undefined) return false;
    const from = this.at + mark.length;
    const end = this.text.indexOf(mark, from);
    if (end < 0) this.unreadable = "a quote is not closed";
    else {
      this.at = end + mark.length;
      this.push("string", this.text.slice(from, end));
    }
    return true;
  }

  private isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  private readPattern(pattern: RegExp, kind: SqlToken["kind"]): void {
    pattern.lastIndex = this.at;
    const [value = this.text[this.at] ?? ""] = pattern.exec(this.text) ?? [];
    this.at += value.length;
    this.push(kind, value.toLowerCase());
  }

  private readSign(sign: string): void {
    this.at += 1;
    if (sign === ";") {
      this.statement = [];
      this.statements.push(this.statement);
      return;
    }
    if (sign === ")") this.depth -= 1;
    if (this.depth < 0) {
      this.unreadable = "a parenthesis is closed that is not open";
      return;
    }
    this.push("sign", sign);
    if (sign === "(") this.depth += 1;
  }

  private push(kind: SqlToken["kind"], value: string): void {
    this.statement.push({ kind, value, depth: this.depth });
  }
}
