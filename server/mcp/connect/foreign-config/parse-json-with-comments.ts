/**
 * Parses JSON with comments and trailing commas, as editors store it.
 * @throws SyntaxError that names the position of the error
 */
export function parseJsonWithComments(text: string): unknown {
  // Matches strings first, so that nothing inside a string counts as a comment or a comma.
  const token = /("(?:[^"\\]|\\.)*")|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  return JSON.parse(text.replace(/^\uFEFF/, "").replace(token, (_found, quoted?: string) => quoted ?? " "));
}
