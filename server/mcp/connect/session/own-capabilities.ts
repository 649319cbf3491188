import { appMediaType, appsExtension } from "@/server/tools/app-meta";

/** The capabilities that Handrail declares to every server; sampling comes with an admin's switch or a client that answers it. */
export const capabilities = {
  elicitation: { form: {}, url: {} },
  roots: {},
  extensions: { [appsExtension]: { mimeTypes: [appMediaType] } },
};
