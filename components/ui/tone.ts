/** What a colour means. A tone always comes with an icon and a word. */
export type Tone = "allow" | "deny" | "ask" | "running" | "unavailable";

/** The named colours of a tone (`theme.ts`) in both schemes. */
const toneColours = (tone: Tone) => ({
  text: `var(--hr-${tone})`,
  tint: `var(--hr-${tone}-tint)`,
  line: `var(--hr-${tone}-line)`,
});
