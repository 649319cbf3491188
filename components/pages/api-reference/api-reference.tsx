import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { Brand } from "@/components/pages/frame/brand";
import classes from "./api-reference.module.css";
import { EndpointSection } from "./endpoint-section";
import { Introduction } from "./introduction";
import { Prose } from "./prose";
import type { Reference } from "./reference";
import { ReferenceNavigation } from "./reference-navigation";
import { ShapeDetail } from "./shape-detail";
import { ShapeWords } from "./shape-words";

/** The whole reference on one page, so that the browser's own search covers everything. */
export function ApiReference({ reference, baseUrl }: { reference: Reference; baseUrl: string }) {
  const { nouns, schemas } = reference;
  const groups = nouns.map(({ id, name, endpoints }) => ({
    id,
    name,
    entries: endpoints.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <div className={classes.frame}>
      <header className={classes.header}>
        <a href="/" className={classes.brand}>
          <Brand />
        </a>
        <span className={classes.where}>API reference</span>
        <a href="/api/v1/openapi.json">OpenAPI 3.1</a>
      </header>
      <aside className={classes.side}>
        <ReferenceNavigation groups={groups} />
      </aside>
      <main className={classes.main}>
        <Introduction baseUrl={baseUrl} />
        {nouns.map(({ id, name, description, endpoints }) => (
          <section key={id} id={id} className={classes.noun} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`} className={classes.nounTitle}>
              <RevealedText text={name} />
            </h2>
            <p className={classes.nounDescription}>
              <Prose text={description} />
            </p>
            {endpoints.map((endpoint) => (
              <EndpointSection key={endpoint.id} endpoint={endpoint} />
            ))}
          </section>
        ))}
        <section id="schemas" className={classes.noun} aria-labelledby="schemas-title">
          <h2 id="schemas-title" className={classes.nounTitle}>
            Schemas
          </h2>
          <p className={classes.nounDescription}>Values that several endpoints share. Answers may get new fields at any time.</p>
          {schemas.map(({ id, name, shape }) => (
            <article key={id} id={id} className={classes.endpoint} aria-labelledby={`${id}-title`}>
              <h3 id={`${id}-title`} className={classes.endpointTitle}>
                <a href={`#${id}`} className={classes.address}>
                  <code className={classes.path}>
                    <RevealedText text={name} />
                  </code>
                </a>
              </h3>
              {shape.description ? (
                <p className={classes.summary}>
                  <Prose text={shape.description} />
                </p>
              ) : null}
              {shape.fields.length > 0 ? null : <ShapeWords shape={shape} />}
              <ShapeDetail shape={shape} />
            </article>
          ))}
        </section>
      </main>
    </div>
  );
}
