import { mayHoldPrivateKey, mayHoldSecret } from "@/server/audit/secret-shapes";
import { maxPathChars } from "./shell/followed-path";
import { unknownValue } from "./shell/resolve-word";

/**
 * What could be in a text, by a look that costs little. Nearly every text is plain, and of a plain one no detector has to
 * look any closer, however often and under whatever policy its call is decided. "May" is never wrong by saying no.
 */
export type FirstLook = {
  mayHoldSecret: boolean;
  mayHoldPrivateKey: boolean;
  /** Printable ASCII on one line without a secret: fit to be shown as it is. */
  isPlain: boolean;
  /** Anything besides printable ASCII, tabs and line ends. */
  mayHide: boolean;
  /** As a path: the name of a file or folder that systems keep secrets in. */
  mayBeSensitive: boolean;
  /** As a path: one that does not simply go down from where it begins. */
  mayLeadOut: boolean;
};

export function firstLook(text: string): FirstLook {
  const isLongerThanPaths = text.length > maxPathChars;
  const holdsSecret = mayHoldSecret(text);
  const holdsPrivateKey = mayHoldPrivateKey(text);
  const isPrintable = printable.test(text);
  return {
    mayHoldSecret: holdsSecret,
    mayHoldPrivateKey: holdsPrivateKey,
    isPlain: isPrintable && !holdsSecret && !holdsPrivateKey,
    mayHide: !isPrintable && notPlain.test(text),
    mayBeSensitive: isLongerThanPaths || mayBeSensitive(text),
    mayLeadOut: isLongerThanPaths || mayLeadOut(text),
  };
}

const printable = /^[ -~]*$/;
const notPlain = /[^\t\n\r -~]/;
const sensitive =
  /\.(?:env|ssh|aws|gnupg|kube|azure|gcloud|docker|password|netrc|pgpass|my|npmrc|pypirc|git-|htpasswd|vault)|_netrc|secret|credential|private|service|authorized|id_|sudoers|etc|proc|\.key|\.pem|\.p12|\.pfx|\.jks|\.keystore|\.ppk|\.kdbx|[*?[%\\]/i;

/** Whether a path may be one that file.sensitive knows by itself. */
export function mayBeSensitive(path: string): boolean {
  return sensitive.test(path);
}

/** Whether a path, looked for in a folder of the workspace, may lead out of it. */
export function mayLeadOut(path: string): boolean {
  return /^[/~]|\.\.|[*?[\]]/.test(path) || path.includes(unknownValue);
}
