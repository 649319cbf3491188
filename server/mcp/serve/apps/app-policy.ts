import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";

/** Origins that an app's server declares in `_meta.ui.csp` of the resource. */
export type AppOrigins = { connect: string[]; resource: string[]; frame: string[]; base: string[] };

const maxOrigins = 30;
/** Encrypted origins only; a wildcard stands for subdomains. Anything else could end the directive and begin another. */
const origin = /^(?:https|wss):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[0-9]{1,5})?$/;

/** Reads the origins that a resource's `_meta` declares. An entry that is no encrypted origin is left out. */
export function readAppOrigins(meta: JsonObject | null | undefined): AppOrigins {
  const ui = isJsonObject(meta?.ui) ? meta.ui : {};
  const csp = isJsonObject(ui.csp) ? ui.csp : {};
  const listOf = (name: string): string[] => {
    const given = csp[name];
    const texts = Array.isArray(given) ? given.filter((entry) => typeof entry === "string") : [];
    return [...new Set(texts.map((text) => text.toLowerCase().replace(/\/$/, "")).filter((text) => origin.test(text)))].slice(
      0,
      maxOrigins,
    );
  };
  return {
    connect: listOf("connectDomains"),
    resource: listOf("resourceDomains"),
    frame: listOf("frameDomains"),
    base: listOf("baseUriDomains"),
  };
}

/**
 * Returns the policy of an app's page. `sandbox` gives it an opaque origin wherever it is opened, so that it has no cookie
 * and no storage of the console; only pages of this product may frame it.
 */
export function appContentSecurityPolicy({ connect, resource, frame, base }: AppOrigins): string {
  const list = (...sources: string[]) => (sources.length === 0 ? "'none'" : sources.join(" "));
  return [
    "default-src 'none'",
    `script-src ${list("'unsafe-inline'", "blob:", ...resource)}`,
    `style-src ${list("'unsafe-inline'", ...resource)}`,
    `img-src ${list("data:", "blob:", ...resource)}`,
    `media-src ${list("data:", "blob:", ...resource)}`,
    `font-src ${list("data:", ...resource)}`,
    "worker-src blob:",
    `connect-src ${list(...connect)}`,
    `frame-src ${list(...frame)}`,
    `base-uri ${list(...base)}`,
    "object-src 'none'",
    "form-action 'none'",
    "webrtc 'block'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts allow-forms",
  ].join("; ");
}
