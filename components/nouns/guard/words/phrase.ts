/** A part of a rule's sentence; `machine` parts are set in mono. */
export type Phrase = { text: string; machine: boolean };
