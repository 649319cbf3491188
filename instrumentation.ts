/**
 * Next calls this once when it starts. Under `npm start` everything runs already and this finds it; under `next start`
 * or `next dev` alone (which need DATABASE_URL and HANDRAIL_SECRET_KEY) this is what starts it.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { boot } = await import("@/server/boot");
  await boot();
}
