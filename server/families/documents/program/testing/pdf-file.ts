type Page = { content: string; annotations?: readonly string[]; properties?: string };

/** A PDF of one page. `objects` are further ones, from number 20 on; `catalog` adds entries to the catalog. F1 is Helvetica, F2 Hebrew. */
export function pdfFile({ content, annotations = [], properties = "" }: Page, catalog = "", objects: readonly string[] = []): Uint8Array {
  const hebrew = [..."אבגדהוזחטיךכלםמןנסעףפץצקרשת"].map(
    (sign, at) => `<${(0x41 + at).toString(16)}> <${sign.charCodeAt(0).toString(16).padStart(4, "0")}>`,
  );
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${hebrew.length + 11} beginbfchar <20> <0020> ${Array.from({ length: 10 }, (_, at) => `<3${at}> <003${at}>`).join(" ")} ${hebrew.join(" ")} endbfchar endcmap end`;
  const numbered: [number, string][] = [
    [1, `<</Type/Catalog/Pages 2 0 R ${catalog}>>`],
    [2, "<</Type/Pages/Kids[3 0 R]/Count 1>>"],
    [
      3,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R/F2 6 0 R>>${properties}>>/Contents 4 0 R/Annots[${annotations.join(" ")}]>>`,
    ],
    [4, `<</Length ${content.length}>>stream\n${content}\nendstream`],
    [5, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"],
    [6, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>"],
    [7, `<</Length ${map.length}>>stream\n${map}\nendstream`],
    ...objects.map((object, at): [number, string] => [20 + at, object]),
  ];
  let file = "%PDF-1.7\n";
  const offsets = new Map<number, number>();
  for (const [number, object] of numbered) {
    offsets.set(number, file.length);
    file += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length;
  const size = 20 + objects.length;
  const entries = Array.from({ length: size }, (_, number) => {
    const at = offsets.get(number);
    return `${String(at ?? 0).padStart(10, "0")} ${at === undefined ? "65535 f" : "00000 n"} \n`;
  });
  return Buffer.from(
    `${file}xref\n0 ${size}\n${entries.join("")}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    "latin1",
  );
}

/** Shows text at a place of the page. */
export const textAt = (x: number, y: number, text: string, size = 10): string => `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET `;

/** Shows Hebrew at a place, its signs from left to right as they stand on the page. */
export function hebrewAt(x: number, y: number, text: string): string {
  const signs = [..."אבגדהוזחטיךכלםמןנסעףפץצקרשת"];
  const codes = [...text].reverse().map((sign) => (signs.includes(sign) ? 0x41 + signs.indexOf(sign) : sign.charCodeAt(0)));
  return `BT /F2 10 Tf 1 0 0 1 ${x} ${y} Tm <${codes.map((code) => code.toString(16)).join("")}> Tj ET `;
}
