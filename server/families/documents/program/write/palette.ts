/** Colours that all formats share, as RGB in hexadecimal. */
export const palette = {
  ink: "1F2937",
  heading: "1B3A5C",
  accent: "2563A8",
  quiet: "6B7280",
  line: "C9D1DA",
  headerFill: "E8EDF3",
  markFill: "FFF1A8",
  codeFill: "F3F4F6",
} as const;

/** A colour as PDF and SVG take it. */
export const hex = (colour: string): string => `#${colour}`;
