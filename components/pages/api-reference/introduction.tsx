import classes from "./api-reference.module.css";
import { Command } from "./command";

/** Conventions of all endpoints. */
export function Introduction({ baseUrl }: { baseUrl: string }) {
  return (
    <section className={classes.introduction} aria-labelledby="introduction-title">
      <h1 id="introduction-title" className={classes.title}>
        The Handrail API
      </h1>
      <p>
        Send an API key, or a token from <a href="#identity_token">POST /api/v1/auth/token</a>, as a bearer. An admin makes keys under
        Settings in the console. A key does what its scopes say, in its own workspace: what belongs to another workspace is not there.
      </p>
      <Command
        label="Who am I?"
        text={`export HANDRAIL_KEY=hr_...\ncurl "${baseUrl}/api/v1/me" -H "Authorization: Bearer $HANDRAIL_KEY"`}
      />
      <ul className={classes.rules}>
        <li>
          Everything is JSON in UTF-8. Ids are texts, times are RFC 3339 in UTC. A body may have up to 1 MiB; a field that is not known is
          refused, so that a typing mistake does not pass for a setting.
        </li>
        <li>
          A refusal is a <a href="#schema-Problem">problem document</a> (<code>application/problem+json</code>): <code>code</code> is for
          programs, <code>detail</code> says to people what to do next, and <code>errors</code> names every field that does not fit.
        </li>
        <li>
          Lists come in pages: send <code>nextCursor</code> back as <code>cursor</code> until it is null.
        </li>
        <li>
          A row that can be changed carries an <code>etag</code>. Sent back in <code>If-Match</code>, it keeps two people from overwriting
          each other: whoever is late gets 412.
        </li>
        <li>
          <code>x-request-id</code> is answered as it was sent, or made up; it stands in the log and in the audit.
        </li>
      </ul>
    </section>
  );
}
