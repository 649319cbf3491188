/** Commands of one kind, with the reason for their classification. */
export type CorpusGroup = {
  kind: "dangerous" | "benign";
  why: string;
  /** For dangerous commands: prefix of the id of the detector that has to find them under every policy. */
  finds?: string;
  /** For benign commands: they use only ls, cat, grep and find, so a rule for these has to allow them. */
  onlyReads?: boolean;
  commands: readonly string[];
};
