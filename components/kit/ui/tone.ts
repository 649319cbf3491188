/** Meaning of a colour. A tone always comes with an icon and a word. */
export type Tone = "allow" | "deny" | "ask" | "running" | "unavailable";
