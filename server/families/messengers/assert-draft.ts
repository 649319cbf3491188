import { type PlatformField, platformFacts } from "@/contracts/messengers/messenger-platforms";
import type { MessengerDraft } from "@/contracts/messengers/messengers";
import { urlFault } from "@/server/capabilities/network/guarded-http";
import { AppError, type FieldError } from "@/server/platform/errors";
import { readOrigins } from "./website/site-origins";
import { readMessagesPerMinute } from "./website/visit-limits";

type Kept = Readonly<Record<string, string>>;

/**
 * Checks what a platform needs of a draft.
 * @param kept secrets that are stored already
 * @returns the secrets after the change
 * @throws AppError `invalid` that names each wrong member
 */
export function assertDraft({ platform, transport, settings, secrets }: MessengerDraft, kept: Kept): Record<string, string> {
  const { title, transports, fields } = platformFacts[platform];
  const errors: FieldError[] = [];
  if (!transports.includes(transport)) errors.push({ path: "transport", message: `${title} has only ${transports.join(", ")}` });
  for (const [place, given] of [["settings", settings] as const, ["secrets", secrets] as const]) {
    for (const name of Object.keys(given)) {
      const field = fields.find((known) => known.name === name && (known.isSecret === true) === (place === "secrets"));
      if (!field) errors.push({ path: `${place}.${name}`, message: `${title} has no such field. It has ${namesOf(platform, place)}` });
    }
  }
  const merged = { ...kept, ...Object.fromEntries(Object.entries(secrets).filter(([, value]) => value.trim() !== "")) };
  for (const { name, label, isSecret, isOptional, neededBy, format } of fields) {
    const value = isSecret ? merged[name] : settings[name];
    const isNeeded = !isOptional && (!neededBy || neededBy.includes(transport));
    if (isNeeded && !value?.trim())
      errors.push({ path: `${isSecret ? "secrets" : "settings"}.${name}`, message: `${title} needs: ${label}` });
    if (value && name.endsWith("Url") && urlFault(value))
      errors.push({ path: `settings.${name}`, message: "must be an http or https address" });
    if (value && isSecret && /[\p{Cc}]/u.test(value) && name !== "serviceAccount")
      errors.push({ path: `secrets.${name}`, message: "must not hold control characters" });
    const fault = format && value?.trim() ? formatFaults[format](value) : null;
    if (fault) errors.push({ path: `settings.${name}`, message: fault });
  }
  const [first] = errors;
  if (first) throw new AppError("invalid", `The messenger is not valid: ${first.path}: ${first.message}`, { errors });
  return merged;
}

/** Says what is wrong with a setting of a format; null for a right one. */
const formatFaults: Readonly<Record<NonNullable<PlatformField["format"]>, (value: string) => string | null>> = {
  sites: (value) => readOrigins(value).fault,
  perMinute: (value) => (readMessagesPerMinute(value) === null ? "must be a whole number from 1 to 10000" : null),
};

const namesOf = (platform: MessengerDraft["platform"], place: "settings" | "secrets"): string =>
  platformFacts[platform].fields
    .filter(({ isSecret }) => (isSecret === true) === (place === "secrets"))
    .map(({ name }) => name)
    .join(", ") || "none";

/** Settings that say where secrets are sent: who changes them has to give the secrets again. */
export const destinationsOf = (settings: Kept): string =>
  JSON.stringify(
    Object.entries(settings)
      .filter(([name]) => /(?:Url|Host)$/.test(name))
      .sort(),
  );
