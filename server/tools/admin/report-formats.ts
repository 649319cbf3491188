import "server-only";
import type { ToolFormatReport } from "@/contracts/tools/tools";
import type { Authorized } from "@/server/auth/actor";
import { fitTool } from "../provider/fit-tool";
import { providerFormats } from "../provider/provider-rules";
import { providerForm } from "../provider/provider-tools";
import { findTool } from "./get-tool";

/** Reports what each provider makes of a tool. @throws AppError `not_found`. */
export async function reportFormats(actor: Authorized<"tools:read">, idOrName: string): Promise<{ items: ToolFormatReport[] }> {
  const tool = await findTool(actor.workspaceId, idOrName);
  return {
    items: providerFormats.map((format) => {
      if (tool.source === "provider") {
        return { format, leftOut: providerForm(tool.name, format) ? null : "This provider has no such tool.", changes: [] };
      }
      const { refusal, changes } = fitTool(tool, format);
      return { format, leftOut: refusal === null ? null : `Left out: ${refusal}.`, changes: refusal === null ? changes : [] };
    }),
  };
}
