import { IconServer } from "@tabler/icons-react";
import { AddRowButton } from "@/components/kit/ui/forms/add-row-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { LocalModelServer } from "@/contracts/models/models";
import classes from "./models.module.css";

type FoundServersProps = { servers: readonly LocalModelServer[]; onAdd: (server: LocalModelServer) => void };

/** Model servers on this machine that are not registered yet. */
export function FoundServers({ servers, onAdd }: FoundServersProps) {
  return (
    <section className={shared.apart} aria-labelledby="found-heading">
      <h2 className={shared.partTitle} id="found-heading">
        Found on this machine
      </h2>
      <ul className={rows.rows}>
        {servers.map((server) => (
          <li key={server.server} className={`${rows.row} ${classes.foundRow}`}>
            <IconServer size={18} stroke={1.6} aria-hidden className={shared.dim} />
            <div className={shared.shrinks}>
              <p className={`${classes.name} ${shared.strong} ${shared.wrapping}`}>
                <RevealedText text={server.name} /> <CodeText dim>{URL.parse(server.baseUrl)?.host ?? server.baseUrl}</CodeText>
              </p>
              <p className={`${classes.notes} ${shared.dim}`}>{modelWords(server.models)}</p>
            </div>
            <AddRowButton aria-label={`Add ${server.name}`} onClick={() => onAdd(server)}>
              Add
            </AddRowButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The first names of a list of models, and how many follow. */
function modelWords(models: readonly string[]): string {
  const shown = models.slice(0, 3).join(", ");
  if (models.length === 0) return "It has no model yet. Load one there first.";
  return models.length > 3 ? `${shown} and ${models.length - 3} more` : shown;
}
