import type { Metadata } from "next";
import { ApiReference } from "@/components/pages/api-reference/api-reference";
import { buildReference } from "@/components/pages/api-reference/build-reference";
import { openApiDocument } from "@/server/http/openapi";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";

export const metadata: Metadata = { title: "API reference", description: "Every endpoint of Handrail's REST API" };

export default function ApiReferencePage() {
  const { publicUrl } = env();
  // Built once per process, because the contracts and the public address do not change while the process runs.
  const reference = processWide("apiReference", () => buildReference(openApiDocument(), publicUrl));
  return <ApiReference reference={reference} baseUrl={publicUrl} />;
}
