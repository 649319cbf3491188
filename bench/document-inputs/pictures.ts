import path from "node:path";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import sharp from "sharp";
import { packagesFolder } from "../../server/families/documents/program/package-file";
import { type Input, inputs } from "./input";

const fonts = {
  Latin: "@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf",
  Han: "@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  Others: "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
};
for (const [name, file] of Object.entries(fonts)) GlobalFonts.registerFromPath(path.join(packagesFolder, file), `Bench ${name}`);

function picture(lines: readonly string[], font: keyof typeof fonts = "Latin", size = 40): Buffer {
  const canvas = createCanvas(1_100, 120 + lines.length * size * 2);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = `${size}px Bench ${font}`;
  for (const [at, line] of lines.entries()) context.fillText(line, 60, 100 + at * size * 2);
  return canvas.toBuffer("image/png");
}
const lines = ["Delivery note 88317", "Twelve boxes of paper", "Received by the warehouse"];
const turned = (degrees: number) => sharp(picture(lines)).rotate(degrees);
const found = ["Delivery note 88317", "was turned"];

export const pictures: Input[] = [
  ...inputs("sideways scans", "png", [
    ...[90, 180, 270].map((degrees) => ({ file: () => turned(degrees).png().toBuffer(), must: found })),
    { ending: "tiff", file: () => turned(90).tiff().toBuffer(), must: found },
    { ending: "tiff", file: () => turned(270).tiff({ compression: "lzw" }).toBuffer(), must: found },
    { ending: "jpg", file: () => turned(90).jpeg().toBuffer(), must: found },
  ]),
  ...inputs("other scripts", "png", [
    { file: () => picture(["发票号码 4711", "总金额二百五十元整"], "Han"), must: [/script seems to be/] },
    { file: () => picture(["請求書の番号は 4711", "合計金額のお支払い期限"], "Han"), must: [/script seems to be/] },
    { file: () => picture(["Счёт номер 4711", "Итого двести пятьдесят рублей"]), must: [/script seems to be Cyrillic/] },
    { file: () => picture(["فاتورة رقم ثلاثة", "المبلغ الإجمالي المستحق"], "Others"), must: [/script seems to be/] },
    { file: () => picture(["Τιμολόγιο αριθμός", "Συνολικό ποσό πληρωμής"], "Others"), must: [/script seems to be Greek|doubtful/] },
  ]),
  ...inputs("upright scans", "png", [
    { file: () => picture(lines), must: ["Twelve boxes of paper", /OCR in eng, [89]\d% sure/], mustNot: ["was turned", "doubtful"] },
    { file: () => picture(["Rechnung 2042", "Gesamtbetrag 99,50"]), must: ["Rechnung 2042"], mustNot: ["script seems"] },
    { file: () => picture(["1,204.50", "88.00", "1,292.50"]), must: ["1,292.50"], mustNot: ["script seems", "was turned"] },
  ]),
];
