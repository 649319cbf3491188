import type { FlowText } from "../flow-text.ts";
import type { LeftOut } from "../left-out.ts";
import { linked } from "../office/relations.ts";
import { TreeBuilder } from "../office/xml-tree.ts";
import { latexOf } from "../word/office-math.ts";
import type { Attributes } from "../xml-events.ts";

export type SlideContext = {
  flow: FlowText;
  leftOut: LeftOut;
  addresses: ReadonlyMap<string, string>;
  /** Types of placeholders that repeat on every slide. */
  repeated: ReadonlySet<string>;
  /** The master gives paragraphs of the body a bullet; that of notes does not. */
  hasBullets: boolean;
  /** Writes the chart or diagram of a relationship. */
  drawing: (relation: string) => void;
};

type Paragraph = { level: number; bullet: "none" | "sign" | "number" | null };

/** Writes the shapes of a slide, event by event. */
export class SlideFlow {
  readonly #context: SlideContext;
  #placeholder: string | null = null;
  #isShapeHidden = false;
  #paragraph: Paragraph = { level: 0, bullet: null };
  #numbers: number[] = [];
  #run = { text: "", rise: "", isStruck: false, link: undefined as string | undefined };
  #isText = false;
  #isInTable = false;
  #skipped = 0;
  #math: TreeBuilder | null = null;
  #name = "";

  constructor(context: SlideContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#math) {
      this.#math.open(name, attributes);
      return;
    }
    // The fallback repeats what newer programs show.
    if (this.#skipped > 0 || name === "mc:Fallback") {
      this.#skipped += 1;
      return;
    }
    if (name === "p:sp" || name === "p:pic" || name === "p:graphicFrame") {
      this.#placeholder = null;
      this.#isShapeHidden = false;
    } else if (name === "p:ph") this.#placeholder = attributes.type ?? "obj";
    if (name === "p:cNvPr") this.#properties(attributes);
    if (!this.#isUnread) this.#openPart(name, attributes);
  }

  #openPart(name: string, attributes: Attributes): void {
    const { flow, leftOut, drawing } = this.#context;
    switch (name) {
      case "m:oMath":
        this.#math = new TreeBuilder();
        this.#math.open(name, attributes);
        break;
      case "a:p":
        flow.openParagraph();
        this.#paragraph = { level: 0, bullet: null };
        break;
      case "a:pPr":
        this.#paragraph.level = Math.min(8, Number(attributes.lvl) || 0);
        break;
      case "a:buNone":
        this.#paragraph.bullet = "none";
        break;
      case "a:buChar":
      case "a:buBlip":
        this.#paragraph.bullet = "sign";
        break;
      case "a:buAutoNum":
        this.#paragraph.bullet = "number";
        this.#numbers[this.#paragraph.level] ??= (Number(attributes.startAt) || 1) - 1;
        break;
      case "a:r":
      case "a:fld":
        this.#run = { text: "", rise: "", isStruck: false, link: undefined };
        break;
      case "a:rPr": {
        const baseline = Number.parseFloat(attributes.baseline ?? "0");
        this.#run.rise = baseline > 0 ? "^" : baseline < 0 ? "~" : "";
        this.#run.isStruck = attributes.strike !== undefined && attributes.strike !== "noStrike";
        break;
      }
      case "a:hlinkClick":
        this.#run.link = this.#context.addresses.get(attributes["r:id"] ?? "");
        break;
      case "a:t":
        this.#isText = true;
        break;
      case "a:br":
        flow.addText("\n");
        break;
      case "a:tbl":
        this.#isInTable = true;
        flow.openTable();
        break;
      case "c:chart":
      case "dgm:relIds":
        drawing(attributes["r:id"] ?? attributes["r:dm"] ?? "");
        break;
      case "p:oleObj":
        leftOut.add("embedded object");
        break;
      case "a:videoFile":
      case "a:audioFile":
        leftOut.add(name === "a:videoFile" ? "video" : "recording");
    }
  }

  close(name: string): void {
    const { flow } = this.#context;
    if (this.#math) {
      if (!this.#math.close()) return;
      flow.addText(`$${latexOf(this.#math.root, () => true)}$`);
      this.#math = null;
      return;
    }
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (name === "p:sp") {
      this.#placeholder = null;
      this.#isShapeHidden = false;
      this.#numbers = [];
      return;
    }
    if (this.#isUnread) return;
    if (name === "a:t") this.#isText = false;
    else if (name === "a:r" || name === "a:fld") this.#closeRun();
    else if (name === "a:p") this.#closeParagraph();
    else if (name === "a:tc") flow.closeCell();
    else if (name === "a:tr") flow.closeRow();
    else if (name === "a:tbl") {
      this.#isInTable = false;
      flow.closeTable();
    }
  }

  text(text: string): void {
    if (this.#math) this.#math.text(text);
    else if (this.#isText && this.#skipped === 0 && !this.#isUnread) this.#run.text += text;
  }

  get #isUnread(): boolean {
    return this.#isShapeHidden || (this.#placeholder !== null && this.#context.repeated.has(this.#placeholder));
  }

  #properties({ hidden, descr, title, name }: Attributes): void {
    const { leftOut } = this.#context;
    if (hidden === "1" || hidden === "true") {
      this.#isShapeHidden = true;
      leftOut.add("hidden shape");
    }
    this.#name = descr || title || name || "";
  }

  /** Names the picture whose shape ends. */
  picture(): void {
    const { flow, leftOut } = this.#context;
    if (this.#isUnread || this.#skipped > 0) return;
    leftOut.add("picture");
    flow.openParagraph();
    flow.addText(`[Picture: ${this.#name.replaceAll(/\s+/g, " ").slice(0, 500)}]`);
    flow.closeParagraph();
  }

  #closeRun(): void {
    const { text, rise, isStruck, link } = this.#run;
    this.#run = { text: "", rise: "", isStruck: false, link: undefined };
    if (text.trim() === "") {
      this.#context.flow.addText(text);
      return;
    }
    const raised = `${rise}${text}${rise}`;
    this.#context.flow.addText(linked(isStruck ? `~~${raised}~~` : raised, link));
  }

  #closeParagraph(): void {
    const { flow } = this.#context;
    const { level, bullet } = this.#paragraph;
    const indent = "  ".repeat(level);
    const isTitle = this.#placeholder === "title" || this.#placeholder === "ctrTitle";
    const isList =
      bullet === "sign" || (bullet === null && this.#context.hasBullets && (this.#placeholder === "body" || this.#placeholder === "obj"));
    if (isTitle) flow.setPrefix("### ", false);
    else if (bullet === "number") {
      this.#numbers = this.#numbers.slice(0, level + 1);
      this.#numbers[level] = (this.#numbers[level] ?? 0) + 1;
      flow.setPrefix(`${indent}${this.#numbers[level]}. `, true);
    } else if (isList && !this.#isInTable) flow.setPrefix(`${indent}- `, true);
    else flow.setPrefix(indent, false);
    flow.closeParagraph();
  }
}
