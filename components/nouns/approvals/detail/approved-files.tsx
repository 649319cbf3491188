import { IconFileAlert, IconFileCheck, IconRefreshAlert } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Approval } from "@/contracts/approvals/approvals";
import type { CallFileRole } from "@/contracts/calls/call-contents";
import classes from "./approved-files.module.css";

const shownFiles = 8;

const roleWords: Record<CallFileRole, string> = { runs: "runs", configures: "is configured by", named: "which names" };

/** Changes since an earlier request for the same call, for which a pending approval is asked again. */
export function AskedAgainNote({ approval: { drift, status } }: { approval: Approval }) {
  if (status !== "pending" || drift.length === 0) return null;
  return (
    <div className={shared.askNote} role="note" aria-label="Asked again">
      <IconRefreshAlert size={16} stroke={1.8} aria-hidden className={shared.lineIcon} />
      <div className={`${classes.words} ${shared.fluid}`}>
        <p className={shared.flush}>
          <strong>Asked again</strong>, because the call is not what it was:
        </p>
        <ul className={shared.iconLines}>
          {drift.map((change) => (
            <li key={change}>
              <RevealedText text={change} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The files for whose contents an approval holds, and what it cannot hold to. */
export function ApprovedFiles({ approval: { contents } }: { approval: Approval }) {
  if (!contents || contents.files.length + contents.notFixed.length === 0) return null;
  const { files, notFixed } = contents;
  const hidden = files.slice(shownFiles);
  return (
    <div className={shared.shrinks}>
      <p className={shared.hint}>An approval holds while these files stay as they are</p>
      <ul className={shared.iconLines} aria-label="Files of this call">
        {files.length === 0 ? <li className={`${classes.line} ${shared.iconLine}`}>No file of this call could be fixed.</li> : null}
        {files.slice(0, shownFiles).map((file) => (
          <FileLine key={file.path} file={file} />
        ))}
        {notFixed.map((sentence) => (
          <li key={sentence} className={`${classes.line} ${shared.iconLine}`} data-fixed="no">
            <IconFileAlert size={15} stroke={1.8} aria-hidden className={shared.lineIcon} />
            <span className={`${classes.words} ${shared.fluid}`}>
              Not fixed: <RevealedText text={sentence} />
            </span>
          </li>
        ))}
      </ul>
      {hidden.length > 0 ? (
        <details className={shared.hint}>
          <summary>and {hidden.length} more</summary>
          <ul className={shared.iconLines}>
            {hidden.map((file) => (
              <FileLine key={file.path} file={file} />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function FileLine({ file: { path, as } }: { file: { path: string; as: CallFileRole } }) {
  return (
    <li className={`${classes.line} ${shared.iconLine}`}>
      <IconFileCheck size={15} stroke={1.8} aria-hidden className={shared.lineIcon} />
      <span className={`${classes.words} ${shared.fluid}`}>
        {roleWords[as]}{" "}
        <CodeText>
          <RevealedText text={path} />
        </CodeText>
      </span>
    </li>
  );
}
