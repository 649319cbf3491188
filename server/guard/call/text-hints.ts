import { mayHoldPrivateKey, mayHoldSecret } from "@/server/secrets/secret-shapes";
import { maxPathChars } from "../paths/followed-path";
import { mayBeSensitive } from "../paths/sensitive-path";

/**
 * Cheap hints about a text. Nearly every text is plain, and detectors need not look closer. A `may…` hint that is false
 * is never wrong.
 */
export type TextHints = {
  mayHoldSecret: boolean;
  mayHoldPrivateKey: boolean;
  /** Printable ASCII on one line without a secret: fit to be shown as it is. */
  isPlain: boolean;
  /** The text has characters besides printable ASCII, tabs and line ends. */
  mayHide: boolean;
  /** Read as a path, the text may name a file or folder that systems keep secrets in. */
  mayBeSensitive: boolean;
};

export function textHints(text: string): TextHints {
  const holdsSecret = mayHoldSecret(text);
  const holdsPrivateKey = mayHoldPrivateKey(text);
  const isPrintable = printable.test(text);
  return {
    mayHoldSecret: holdsSecret,
    mayHoldPrivateKey: holdsPrivateKey,
    isPlain: isPrintable && !holdsSecret && !holdsPrivateKey,
    mayHide: !isPrintable && notPlain.test(text),
    mayBeSensitive: text.length > maxPathChars || mayBeSensitive(text),
  };
}

const printable = /^[ -~]*$/;
const notPlain = /[^\t\n\r -~]/;
