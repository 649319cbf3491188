import { readTokens, type SqlToken } from "@/server/sql-text/read-tokens";

export type SqlReading = {
  /** The statements, without empty ones. */
  statements: readonly (readonly SqlToken[])[];
  isMysql: boolean;
  /** The reason why the text cannot be read to its end, as a sentence part; null when it can. */
  unreadable: string | null;
};

/** Reads a SQL text as the standard does, and again as MySQL does when that differs, because the target system is unknown. */
export function readSql(text: string): SqlReading[] {
  const differs = /[\\#"]|\/\*M?!|--\S|\$\w*\$|\/\*[^*]*\/\*/i.test(text);
  return (differs ? (["standard", "any_mysql"] as const) : (["standard"] as const)).map((reading) => {
    const { tokens, unreadable } = readTokens(text, reading);
    return { statements: statementsOf(tokens), isMysql: reading === "any_mysql", unreadable };
  });
}

function statementsOf(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "sign" && token.value === ";") statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter(({ length }) => length > 0);
}
