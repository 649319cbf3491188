import { stem } from "@/server/retrieval/tokenize";

/** Stems of the words that requests are made of. They match many tools by chance, so they count less than nouns. */
const requestWords = new Set(
  `provide provides providing give tell help assist assistance information info detail details detailed specific specifically
comprehensive including include includes related relevant various different certain particular please recommend recommendations
recommendation suggest suggestion suggestions available want looking look interested curious need find show get make best good great
better new latest current recent popular effective efficient possible potential important interesting complete entire full whole
exactly currently today now right last first next time way ways thing things kind type types list numbers option options question
questions answer example examples understand learn like love lot based help guide step steps process tool tools plugin api function
platform feature features service services user users application applications content experience ensure improve access easily
easy quickly simple personalized tailored real world wide range everything anything something someone people`
    .split(/\s+/)
    .map(stem),
);

/** Returns whether a term is a word of requests in general, such as "provide" or "information". */
export const isRequestWord = (term: string): boolean => requestWords.has(term);

const urlPattern = /https?:\/\/[^\s"'<>)]+/gi;
const pathPattern = /(?<=^|[\s"'`(])[~.]{0,2}\/[\w.@+-]+(?:\/[\w.@+-]*)*/g;
const extensionPattern = /\.(\w{1,5})\.?$/;

/** Replaces URLs and paths by the kind of thing they are, because the letters in them describe no tool. */
export function withoutLiterals(query: string): string {
  return query.replace(urlPattern, " url ").replace(pathPattern, (path) => {
    const extension = extensionPattern.exec(path)?.[1];
    return extension ? ` ${extension} file ` : " directory ";
  });
}

const clausePattern = /[.;!?\n。；！？]+(?:\s|$)|[,;]?\s+(?:and )?(?:then|finally|next|afterwards|additionally|also)[, ]/i;

/** Splits a request into its sentences and steps, because each may ask for another tool. */
export function splitRequest(query: string, most: number): string[] {
  return query
    .split(clausePattern)
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(0, most);
}
