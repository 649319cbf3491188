import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./api-reference.module.css";
import { Command } from "./command";
import { Prose } from "./prose";
import type { EndpointReference, Field } from "./reference";
import { FieldList, ShapeDetail } from "./shape-detail";
import { ShapeWords } from "./shape-words";

const places: { place: Field["place"]; title: string }[] = [
  { place: "path", title: "In the path" },
  { place: "query", title: "In the query" },
  { place: "header", title: "Headers" },
];

/** Everything about one endpoint. */
export function EndpointSection({ endpoint }: { endpoint: EndpointReference }) {
  const { id, method, path, summary, permission, parameters, body, answers, refusals, curl } = endpoint;
  return (
    <article id={id} className={classes.endpoint} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className={classes.endpointTitle}>
        <a href={`#${id}`} className={classes.address}>
          <span className={classes.method}>{method}</span>{" "}
          <code className={classes.path}>
            <RevealedText text={path} />
          </code>
        </a>
      </h3>
      <p className={classes.summary}>
        <Prose text={summary} />
      </p>
      <p className={classes.permission}>
        {permission ? (
          <>
            Needs <code>{permission}</code>
          </>
        ) : (
          "Open to everybody"
        )}
      </p>

      {places.map(({ place, title }) => {
        const fields = parameters.filter((parameter) => parameter.place === place);
        return fields.length > 0 ? (
          <section key={place} className={classes.part}>
            <h4 className={classes.partTitle}>
              <RevealedText text={title} />
            </h4>
            <FieldList fields={fields} />
          </section>
        ) : null;
      })}

      {body ? (
        <section className={classes.part}>
          <h4 className={classes.partTitle}>Body</h4>
          {body.refers || body.options.length > 0 ? <ShapeWords shape={body} /> : null}
          <ShapeDetail shape={body} />
        </section>
      ) : null}

      <section className={classes.part}>
        <h4 className={classes.partTitle}>Answers</h4>
        <ul className={`${classes.answers} ${shared.plainList}`}>
          {answers.map(({ status, description, mediaType, shape }) => (
            <li key={`${status} ${mediaType}`}>
              <span className={classes.status}>{status}</span>{" "}
              {mediaType === "application/json" ? <ShapeWords shape={shape} /> : <code>{mediaType}</code>}
              {description === "Done." ? null : (
                <p className={classes.description}>
                  <Prose text={description} />
                </p>
              )}
              {shape.fields.length > 0 ? (
                <details className={classes.fold}>
                  <summary>{shape.fields.length === 1 ? "1 field" : `${shape.fields.length} fields`}</summary>
                  <ShapeDetail shape={shape} />
                </details>
              ) : null}
            </li>
          ))}
        </ul>
        <details className={classes.fold}>
          <summary>Refusals: {refusals.map(({ status }) => status).join(", ")}</summary>
          <ul className={`${classes.answers} ${shared.plainList}`}>
            {refusals.map(({ status, description, codes }) => (
              <li key={status}>
                <span className={classes.status}>{status}</span> <Prose text={description} />{" "}
                <span className={`${classes.codes} ${shared.dim}`}>
                  {codes.map((code) => (
                    <code key={code}>{code}</code>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </details>
      </section>

      <Command text={curl} label="In a shell" />
    </article>
  );
}
