const hex = "[0-9a-f]";
const word = "[A-Za-z0-9_-]";
const uuid = `${hex}{8}-${hex}{4}-${hex}{4}-${hex}{4}-${hex}{12}`;
const end = "(?![A-Za-z0-9_])";

/**
 * Tokens of a known length after their issuer's prefix. The patterns check the length, because prefixes such as `ico-` and
 * `sm_` also begin ordinary names.
 */
export const issuerTokens: readonly (readonly [start: string, rest: string])[] = [
  // 1Password, Artifactory (access and reference tokens), Alibaba Cloud.
  ["A3-[A-Z0-9]{6}-", `(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}${end}`],
  ["AKCp", `[A-Za-z0-9]{69}${end}`],
  ["cmVmdGtu", `[A-Za-z0-9]{56}${end}`],
  ["LTAI", `[A-Za-z0-9]{16,26}${end}`],
  // Aiven, Apify, Axiom, Clojars, Cloudflare's origin authority, Contentful.
  ["AVNS_", `${word}{19}${end}`],
  ["apify_api_", `[A-Za-z0-9]{36}${end}`],
  ["xa[ap]t-", `${uuid}${end}`],
  ["CLOJARS_", `[a-z0-9]{60}${end}`],
  [`v1\\.0-${hex}{24}-`, `${hex}{146}${end}`],
  ["CFPAT-", `${word}{43}${end}`],
  // Duffel, Dynatrace, EasyPost, Flutterwave, Frame.io, GitLab's runners.
  ["duffel_(?:live|test)_", `${word}{43}${end}`],
  ["dt0[a-z]\\d\\d\\.", `[A-Z0-9]{24}\\.[A-Z0-9]{64}${end}`],
  ["EZ[AT]K", `[A-Za-z0-9]{54}${end}`],
  ["FLWSECK(?:_TEST)?-", `${hex}{32}(?:-X)?${end}`],
  ["fio-u-", `${word}{64}${end}`],
  ["GR1348941", `${word}{20}${end}`],
  // Honeycomb, HubSpot, Infracost, Inngest, Jina, Mapbox.
  ["hc[abx]ik_", `[A-Za-z0-9]{58}${end}`],
  ["pat-(?:na|eu)\\d-", `${uuid}${end}`],
  ["ico-", `[A-Za-z0-9]{32}${end}`],
  ["signkey-(?:prod|test|branch)-", `${hex}{32,64}${end}`],
  [`jina_${hex}{8}`, `${hex}{24}${word}{20,40}${end}`],
  ["sk\\.eyJ", `${word}{30,200}\\.${word}{20,40}${end}`],
  // NuGet, OpenShift, Plaid, Prefect, ReadMe, SettleMint.
  ["oy2", `[a-z0-9]{43}${end}`],
  ["sha256~", `${word}{43}${end}`],
  ["access-(?:sandbox|development|production)-", `${uuid}${end}`],
  ["pnu_", `[A-Za-z0-9]{36}${end}`],
  ["rdme_", `[a-z0-9]{70}${end}`],
  ["sm_[aps]at_", `[A-Za-z0-9]{16}${end}`],
  // Brevo's SMTP, Shippo, SonarQube, Sourcegraph, Square, Trello, Typeform, Yandex Cloud.
  ["xsmtpsib-", `${hex}{64}-[A-Za-z0-9]{16}${end}`],
  ["shippo_(?:live|test)_", `${hex}{40}${end}`],
  ["sq[apu]_", `${hex}{40}${end}`],
  ["sgp_", `(?:(?:${hex}{16}|local)_)?${hex}{40}${end}`],
  ["sq0(?:atp|csp)-", `${word}{22,43}${end}`],
  ["ATTA", `${hex}{64}${end}`],
  ["tfp_", `[A-Za-z0-9_.-]{59}${end}`],
  ["AQVN", `${word}{35,38}${end}`],
];
