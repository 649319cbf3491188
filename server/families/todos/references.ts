import { referencePattern } from "@/contracts/messengers/contacts";
import type { KnownContact } from "@/server/contacts/known-contacts";
import { AppError } from "@/server/platform/errors";

/** A reference stands behind a name in parentheses: `Mei (tg:@mei_lin)`. Words and web addresses in parentheses are text. */
const written = /\(([a-z]{2,16}:(?!\/\/)[^\s()]*)\)/gi;

/** Returns the references that a text holds. */
export const referencesIn = (text: string): string[] => [...text.matchAll(written)].map(([, reference = ""]) => reference);

/** Checks the references of a to-do. @throws AppError `invalid` for one that is malformed, or that no contact has */
export function assertReachable(text: string, contacts: readonly KnownContact[]): void {
  const reachable = new Set(contacts.flatMap(({ reachableIds }) => reachableIds));
  for (const reference of referencesIn(text)) {
    const named = reference.slice(0, 100);
    if (!referencePattern.test(reference)) {
      throw new AppError(
        "invalid",
        `invalid reference id: (${named}). Use tg:<int64>, tg:@<username>, slack:<channel_id> or discord:<channel_id>.`,
      );
    }
    if (!reachable.has(reference)) {
      throw new AppError("invalid", `reference id is not reachable: ${named}. Use an address of a contact, or leave it out.`);
    }
  }
}
