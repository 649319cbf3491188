import { artifactEndpoints } from "@/contracts/artifacts";
import { openArtifactLink } from "@/server/families/documents/artifact-links";
import { attachment } from "@/server/http/attachment";
import { route } from "@/server/http/route";
import { AppError } from "@/server/platform/errors";

export const GET = route(artifactEndpoints.openLink, async ({ params, request }) => {
  // Programs that preview addresses send HEAD, which must not spend the link.
  if (request.method === "HEAD") throw new AppError("method_not_allowed", "This link answers GET only.");
  const { artifact, stream } = await openArtifactLink(params.token);
  return attachment(stream, artifact);
});
