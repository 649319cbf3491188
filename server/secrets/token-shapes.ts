import { issuerTokens } from "./issuer-tokens";
import { hasDigit, type SecretShape } from "./secret-shape";

/** The prefix of a token, which names its issuer, and the pattern of the rest. */
type Token = readonly [start: string, rest: string];

const word = "[A-Za-z0-9_-]";
const hex = "[0-9a-f]";
/** Rest without underscores, because identifiers with the same prefix have them: `napi_get_value_bigint_uint64`. */
const unbroken = "[A-Za-z0-9]{20,100}(?![A-Za-z0-9_])";

/** API keys of model providers, and of services for search, memory and code execution. */
const modelKeys: readonly Token[] = [
  ["(?:gsk_|xai-|r8_|pplx-|nvapi-|tgp_v1_|lsv2_(?:pt|sk)_|pcsk_|tvly-)", `${word}{20,250}`],
  ["(?:crsr_|e2b_|vck_)", unbroken],
  ["csk-", "[a-z0-9]{40,60}"],
  ["fw_", unbroken],
  [`fc-${hex}{8}`, `${hex}{24}(?![0-9A-Za-z])`],
  [`sk_${hex}{8}`, `${hex}{40}(?![0-9A-Za-z])`],
  // The beginning of `BedrockAPIKey-` in base64.
  ["ABSKQmVkcm9ja0FQSUtleS", "[A-Za-z0-9+/=]{20,250}"],
];

const gitlab = "gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|ffct|oas)-";
const clouds = "do[opr]_v1_|hv[sbr]\\.|dp\\.(?:pt|st|ct)\\.|tskey-|pul-|HRKU-";
const databases = "sbp_|sb_secret_|pscale_(?:tkn|pw|oauth)_";
const packages = "npm_|hf_|pypi-|dckr_(?:pat|oat)_|rubygems_";
const offices = "ATATT|ATCTT|ATBB|lin_(?:api|oauth)_|figd_|ntn_|PMAK-|shp(?:at|ss|ca|pa)_|xkeysib-|ops_eyJ|AGE-SECRET-KEY-1";
const watchers = "glsa_|glc_|sntry[su]_|NRAK-|CCIPAT_";

const serviceTokens: readonly Token[] = [
  [`(?:${[gitlab, clouds, databases, packages, offices, watchers].join("|")})`, "[A-Za-z0-9_.=-]{20,250}"],
  ["(?:vc[ap]_|nfp_|rnd_|cf[au]t_|napi_|phx_|ddp_|bkua_)", unbroken],
  // Fly: a list of them follows `FlyV1`.
  ["fm(?:2|1[ar])_[A-Za-z0-9]{11}", "[A-Za-z0-9+/=]{9,2000}"],
  ["fo1_", `${word}{40,60}(?![A-Za-z0-9_-])`],
  // Notion.
  ["secret_[A-Za-z0-9]{20}", "[A-Za-z0-9]{23}(?![A-Za-z0-9_])"],
  // Twilio.
  [`SK${hex}{8}`, `${hex}{24}(?![0-9A-Za-z])`],
  ["re_[A-Za-z0-9]{6,10}_", "[A-Za-z0-9]{20,30}(?![A-Za-z0-9_])"],
  [`dapi${hex}{8}`, `${hex}{24}(?:-\\d)?(?![0-9A-Za-z])`],
  [`key-${hex}{8}`, `${hex}{24}(?![0-9A-Za-z])`],
  ["EAA[A-Za-z0-9]{8}", `${word}{48,300}`],
  // Airtable and Discord.
  [`pat[A-Za-z0-9]{14}\\.${hex}{8}`, `${hex}{56}(?![0-9A-Za-z])`],
  [`(?<!-)[MNO]${word}{23,27}\\.${word}{6}\\.`, `${word}{27,40}`],
];

/** Tokens of Azure, Terraform and Telegram, whose distinctive part is not at the beginning. */
const inside = [
  { sign: "Q~", pattern: /\b[\w.]{3}\dQ~[\w.-]{15,40}[\w.~-]{0,25}/g },
  { sign: ".atlasv1.", pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,90}/g },
  { sign: ":AA", pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g },
];

const oneShape = (kind: SecretShape["kind"], tokens: readonly Token[]): SecretShape => ({
  kind,
  pattern: new RegExp(`\\b(?:${tokens.map(([start, rest]) => start + rest).join("|")})`, "g"),
  isSecret: hasDigit,
});

/** Shapes of tokens with an issuer's format. One pattern covers many issuers, so that a text is read once. */
export const tokenShapes: readonly SecretShape[] = [
  oneShape("model_key", modelKeys),
  oneShape("service_token", [...serviceTokens, ...issuerTokens]),
  ...inside.map(({ sign, pattern }) => ({ kind: "service_token" as const, hints: [sign.toLowerCase()], pattern, isSecret: hasDigit })),
];

/** Pattern sources that match every text with such a token: at the beginning of a word, or anywhere. */
export const tokenSigns = {
  atStart: [...modelKeys, ...serviceTokens, ...issuerTokens].map(([start]) => start).join("|"),
  anywhere: inside.map(({ sign }) => sign.replaceAll(".", "\\.")).join("|"),
};
