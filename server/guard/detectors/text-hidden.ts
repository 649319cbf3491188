import { excerpt } from "../excerpt";
import { type Detector, type DetectorMatch, noDetectorMatches } from "./detector";

/**
 * Invisible characters: controls of writing direction (Unicode UAX #9), zero-width marks, tag characters, terminal
 * controls, and runs of variation selectors, which can carry data. Joiners and single selectors are allowed, because
 * scripts and emoji need them.
 */
const hidden =
  /[\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2064\u180E]|(?!^)\uFEFF|(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{0,10})[\u{E0000}-\u{E007F}]|(?![\t\n\r])\p{Cc}|\p{Variation_Selector}{3,}|[A-Za-z](?:\u200C|\u200D|\u00AD)[A-Za-z]|\p{Cs}/u;

export const textHidden: Detector = {
  id: "text.hidden",
  title: "Hidden characters",
  severity: "high",
  verdict: "require_approval",
  explanation:
    "Characters that nobody sees, that turn the direction of a text around or that steer a terminal make a person approve something else than what they read.",
  fix: "Send the text without invisible characters and escape sequences.",
  relaxable: true,
  appliesTo: () => true,
  find: ({ texts }) => {
    let sightings: DetectorMatch[] | null = null;
    for (const { text, hints } of texts) {
      const found = hints.mayHide ? hidden.exec(text) : null;
      if (!found) continue;
      const code = (found[0].codePointAt(/^[A-Za-z]/.test(found[0]) ? 1 : 0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const around = text.slice(Math.max(0, found.index - 20), found.index + 40);
      sightings ??= [];
      sightings.push({ message: `An argument has the hidden character U+${code}: \`${excerpt(around)}\`.`, text: around });
    }
    return sightings ?? noDetectorMatches;
  },
};
