import type { Json, JsonObject } from "@/contracts/common";
import { isPairedValue, maskText, pairedName, secretUnder } from "@/server/secrets/mask-secrets";
import { isPlaceholder } from "@/server/secrets/placeholder";
import { secretKinds } from "@/server/secrets/secret-shape";
import { evidentSecretIn, mayHoldSecret, privateKeyMarker, shapesToTry } from "@/server/secrets/secret-shapes";
import type { AnalyzedCall } from "../call/analyzed-call";
import { memoizeLast } from "../memoize-last";
import { type Detector, type DetectorMatch, noDetectorMatches } from "./detector";

type Kind = (typeof secretKinds)[number];

const words: Record<Kind, { title: string; what: string }> = {
  aws_key: { title: "AWS key", what: "an AWS key" },
  github_token: { title: "GitHub token", what: "a GitHub token" },
  slack_token: { title: "Slack token", what: "a Slack token" },
  stripe_key: { title: "Stripe key", what: "a Stripe key" },
  google_key: { title: "Google key", what: "a Google key" },
  model_key: { title: "Model provider's key", what: "a model provider's key" },
  service_token: { title: "Service token", what: "a token of a service" },
  jwt: { title: "JSON web token", what: "a JSON web token" },
  bearer: { title: "Authorization header", what: "the credentials of an authorization header" },
  url_password: { title: "Password in a URL", what: "a password in a URL" },
  password: { title: "Password", what: "a password or token with its value" },
  high_entropy: { title: "Random value", what: "a value that looks like a generated secret" },
};

const explanation =
  "A secret in a call is kept with it, shown to whoever looks at it, and handed to the tool and to whatever the tool talks to.";
const fix = "Leave the secret out: refer to it by the name of an environment variable or of a stored setting.";
const common = { explanation, relaxable: true, appliesTo: () => true } as const;

const noSecrets: ReadonlyMap<Kind, string> = new Map();
const secretsIn = memoizeLast(findSecrets);
const hasSecrets = (call: AnalyzedCall) => secretsIn(call).size > 0;

/** A detector for each kind of secret that masking knows, so that the detectors find exactly what is masked. */
export const credentialDetectors: readonly Detector[] = secretKinds.map((kind) => ({
  ...common,
  id: `credential.${kind}`,
  title: words[kind].title,
  severity: kind === "high_entropy" ? ("medium" as const) : ("high" as const),
  verdict: "require_approval" as const,
  fix,
  mayFind: hasSecrets,
  find: (call) => {
    const secret = secretsIn(call).get(kind);
    return secret === undefined ? [] : [{ message: `An argument holds ${words[kind].what}.`, text: maskText(secret) }];
  },
}));

export const privateKey: Detector = {
  ...common,
  id: "credential.private_key",
  title: "Private key",
  severity: "critical",
  verdict: "deny",
  fix: "Keep the key where it is, and refer to it by its name.",
  find: ({ texts }): readonly DetectorMatch[] => {
    for (const { text, hints } of texts) {
      const marker = hints.mayHoldPrivateKey ? privateKeyMarker.exec(text) : null;
      if (marker) return [{ message: "An argument holds a private key.", text: marker[0] }];
    }
    return noDetectorMatches;
  },
};

type Found = Map<Kind, string> | null;

/** Files whose tokens are made up. */
const testFile =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures?|__fixtures__|mocks?|__mocks__|testdata)\/|[._-](?:test|spec|mock|fixture)\.\w+$|(?:^|\/)test_[^/]*$/i;

function findSecrets(call: AnalyzedCall): ReadonlyMap<Kind, string> {
  const { texts, arguments: args } = call;
  let found: Found = null;
  for (const { name, text, hints } of texts) found = withSecretsOf(found, name, text, hints.mayHoldSecret);
  const secrets = withSecretsAround(found, args) ?? noSecrets;
  if (secrets.size === 0 || !writesTestFile(call)) return secrets;
  return new Map([...secrets].filter(([kind, text]) => kind !== "jwt" && kind !== "high_entropy" && !webToken.test(text)));
}

/** Whether a file tool writes files of a test suite and nothing else. */
function writesTestFile({ tool, effects }: AnalyzedCall): boolean {
  const written = effects.filter(({ kind }) => kind !== "read");
  return tool.needs.includes("files") && written.length > 0 && written.every(({ target }) => testFile.test(target.path ?? ""));
}

/** A web token, which a test also gives under a name such as `token`. */
const webToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** Hashes of packages in lock files: `sha512-...`. */
const packageHash = /^sha(?:1|256|384|512)-/;

function withSecretsOf(found: Found, name: string, text: string, mayHold: boolean): Found {
  let more = found;
  if (isNamedSecret(name, text)) more = (more ?? new Map<Kind, string>()).set("password", text);
  if (!mayHold) return more;
  for (const shape of shapesToTry(text)) {
    const secret = more?.has(shape.kind) ? null : evidentSecretIn(text, shape);
    if (secret !== null && !packageHash.test(secret)) more = (more ?? new Map<Kind, string>()).set(shape.kind, secret);
  }
  return more;
}

/** A shorter name is not searched for secrets. */
const minNameChars = 12;

/**
 * Adds secrets in the names of members, and in values whose name is another member. Iterates, because a model may nest
 * deeply.
 */
function withSecretsAround(found: Found, args: JsonObject): Found {
  let more = found;
  const open: Json[] = [];
  for (let next: Json | undefined = args; next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const member of next) if (member !== null && typeof member === "object") open.push(member);
    } else if (next !== null && typeof next === "object") {
      for (const name of Object.keys(next)) {
        const member = next[name];
        if (name.length >= minNameChars) more = withSecretsOf(more, "", name, mayHoldSecret(name));
        if (typeof member === "string") {
          if (isPairedValue(name)) more = withSecretsOf(more, pairedName(next) ?? "", member, mayHoldSecret(member));
        } else if (member !== undefined && member !== null && typeof member === "object") open.push(member);
      }
    }
  }
  return more;
}

/** Returns whether a value under a name such as `password` is a secret: no page cursor, and no reference to a variable. */
function isNamedSecret(name: string, text: string): boolean {
  return (
    text.length >= 6 &&
    secretUnder(name, text) !== null &&
    !/page|next|cursor|continuation|sync/i.test(name) &&
    !/^(?:\$|%|env:|\{\{|<)/.test(text) &&
    !isPlaceholder(text)
  );
}
