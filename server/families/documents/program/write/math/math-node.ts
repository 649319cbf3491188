/** An element of MathML. `text` is that of a leaf. */
export type MathNode = { kind: string; text: string; attributes: Readonly<Record<string, string>>; children: readonly MathNode[] };
