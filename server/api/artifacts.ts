import { artifactEndpoints } from "@/contracts/turns/artifacts";
import { readArtifact } from "@/server/conversations/artifacts";
import { listArtifacts } from "@/server/conversations/list-artifacts";
import { answer } from "@/server/endpoints/answer";
import { attachment } from "@/server/endpoints/attachment";

export const artifactAnswers = answer(
  { list: artifactEndpoints.list, get: artifactEndpoints.get },
  {
    list: ({ actor, query }) => listArtifacts(actor, query),
    get: async ({ actor, params }) => {
      const { artifact, stream } = await readArtifact(actor, params.id);
      return attachment(stream, artifact);
    },
  },
);
