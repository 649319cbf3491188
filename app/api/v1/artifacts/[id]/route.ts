import { artifactEndpoints } from "@/contracts/artifacts";
import { readArtifact } from "@/server/conversations/artifacts";
import { attachment } from "@/server/http/attachment";
import { route } from "@/server/http/route";

export const GET = route(artifactEndpoints.get, async ({ actor, params }) => {
  const { artifact, stream } = await readArtifact(actor, params.id);
  return attachment(stream, artifact);
});
