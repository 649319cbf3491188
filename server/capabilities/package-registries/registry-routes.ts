import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { PackageRegistries } from "@/contracts/tools/shell";
import { authProfiles, shellSettings } from "@/db/schema";
import type { AuthProfileOfTool } from "@/server/capabilities/auth-profiles/credential";
import { db } from "@/server/platform/database/database";
import { versionedCache } from "@/server/platform/signals/versioned-cache";

/** A registry of packages that programs in the sandbox reach in place of a public one. */
export type RegistryRoute = {
  /** Host of the public registry. Programs, rules and approvals go on to name it. */
  host: string;
  /** Address of the registry, as the admin wrote it. */
  upstream: string;
  /** Added to the requests outside of the sandbox, where no program sees it. */
  profile: AuthProfileOfTool | null;
  /** Variables by which package programs send their requests to `host` in the clear, so that the proxy can forward them. */
  environment: Readonly<Record<string, string>>;
};

type Manager = keyof PackageRegistries;

const publicHosts: Record<Manager, string> = { npm: "registry.npmjs.org", pypi: "pypi.org" };

const environments: Record<Manager, (address: string, host: string) => Record<string, string>> = {
  npm: (address, host) => ({
    npm_config_registry: address,
    // Registries name their own host in the addresses of packages.
    npm_config_replace_registry_host: "always",
    YARN_NPM_REGISTRY_SERVER: address,
    YARN_UNSAFE_HTTP_WHITELIST: host,
    BUN_CONFIG_REGISTRY: address,
  }),
  pypi: (address, host) => ({
    PIP_INDEX_URL: address,
    PIP_TRUSTED_HOST: host,
    UV_DEFAULT_INDEX: address,
    UV_INSECURE_HOST: host,
  }),
};

/** Returns the registries that an admin set for a workspace, cached until its configuration changes. */
export const registryRoutes = versionedCache("registryRoutes", async (workspaceId): Promise<readonly RegistryRoute[]> => {
  const [row] = await db()
    .select({ registries: shellSettings.registries })
    .from(shellSettings)
    .where(eq(shellSettings.workspaceId, workspaceId));
  const { npm = null, pypi = null } = row?.registries ?? {};
  const ids = [npm, pypi].flatMap((registry) => registry?.authProfileId ?? []);
  const profiles =
    ids.length === 0
      ? []
      : await db()
          .select()
          .from(authProfiles)
          .where(and(eq(authProfiles.workspaceId, workspaceId), inArray(authProfiles.id, ids)));
  const profileOf = (wanted: string | null) => profiles.find(({ id }) => id === wanted) ?? null;
  return [
    ...(npm ? [routeOf("npm", { url: npm.url, profile: profileOf(npm.authProfileId) })] : []),
    ...(pypi ? [routeOf("pypi", { url: pypi.url, profile: profileOf(pypi.authProfileId) })] : []),
  ];
});

/** Returns the route of one registry. */
export function routeOf(manager: Manager, { url, profile }: { url: string; profile: AuthProfileOfTool | null }): RegistryRoute {
  const host = publicHosts[manager];
  const { pathname } = new URL(url);
  return { host, upstream: url, profile, environment: environments[manager](`http://${host}${pathname}`, host) };
}
