import type { Metadata } from "next";
import { ApiReference } from "@/components/api-reference/api-reference";
import { referenceOf } from "@/components/api-reference/reference-of";
import { openApiDocument } from "@/server/http/openapi";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";

export const metadata: Metadata = { title: "API reference", description: "Every endpoint of Handrail's REST API" };

export default function ApiReferencePage() {
  const { publicUrl } = env();
  // Made once a process: neither the contracts nor the address change while it runs.
  const reference = processWide("apiReference", () => referenceOf(openApiDocument(), publicUrl));
  return <ApiReference reference={reference} baseUrl={publicUrl} />;
}
