import "server-only";
import { and, asc, eq } from "drizzle-orm";
import type { FetchMethod } from "@/contracts/tools/auth-profiles";
import { authProfiles as table } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { AuthProfileOfTool } from "./credential";
import { limitFault } from "./fetch-limits";

/** Auth profiles that an admin allowed agents to name. */
export type AuthProfilesCapability = {
  /**
   * A `limited` profile goes to some paths or with some methods only, so that no redirect may carry it further.
   * @throws AppError `forbidden` for a profile that agents may not name, or that belongs to another origin, path or method
   */
  find: (name: string, request: { url: string; method: FetchMethod }) => Promise<AuthProfileOfTool & { limited: boolean }>;
};

export const authProfiles = defineCapability({
  name: "credentials",
  title: "Credentials that an admin lets agents name",
  isOfConversation: false,
  create: ({ workspaceId }): AuthProfilesCapability => ({
    async find(name, { url, method }) {
      const allowed = await db()
        .select()
        .from(table)
        .where(and(eq(table.workspaceId, workspaceId), eq(table.allowsFetch, true)))
        .orderBy(asc(table.name));
      const { origin } = new URL(url);
      const fitting = allowed.filter((profile) => profile.origin === origin);
      const profile = fitting.find((candidate) => candidate.name === name || candidate.id === name);
      if (profile) {
        const fault = limitFault(profile, url, method);
        if (fault) throw new AppError("forbidden", fault);
        return { ...profile, limited: profile.fetchPaths.length + profile.fetchMethods.length > 0 };
      }
      const names = fitting.map((candidate) => `"${candidate.name}"`).join(", ");
      throw new AppError(
        "forbidden",
        `No auth profile "${name}" may be sent to ${origin}. ${
          names ? `Send one of ${names}.` : "Fetch without authProfile; an admin can allow one in Settings, Auth profiles."
        }`,
      );
    },
  }),
});
