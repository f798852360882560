// Every word that the report says.

const whole = new Intl.NumberFormat("en");

export const number = (value: number) => whole.format(value);
export const percent = (share: number, digits = 0) => `${(share * 100).toFixed(digits)} %`;
/** A similarity in ten thousandths; what is not equal never reads as equal. */
export const similarity = (value: number) => (value >= 10_000 ? "100 %" : `${Math.min(99, Math.round(value / 100))} %`);
export const size = (bytes: number) =>
  bytes < 1e3 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
export const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

export const TYPES = ["", "equal", "renamed", "edited", "same behaviour"];
export const typeLong = (type: number) => `Type ${type}: ${TYPES[type] ?? ""}`;

export const T = {
  product: "Familiar",
  title: (view: string) => `${view} – Familiar report`,
  skip: "Skip to content",
  loading: "Loading the result…",
  failed: (what: string) => `The report's data could not be read: ${what}. Keep index.html together with its folders assets and data.`,
  views: { overview: "Overview", findings: "Findings", map: "Map", compare: "Compare", source: "Source" },
  theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },
  navigation: "Views",

  duplication: "of the lines are duplicated",
  linesOf: (some: number, all: number) => `${number(some)} of ${number(all)} lines`,
  classes: "clone classes",
  pairs: "listed pairs",
  copies: (count: number) => plural(count, "fragment", "fragments"),
  filesWith: "files with findings",
  filesOf: (all: number, bytes: number) => `of ${number(all)} searched, ${size(bytes)}`,
  similarityChart: "Pairs by similarity",
  sizeChart: "Classes by lines",
  languageChart: "Duplicated lines by language",
  typeChart: "Classes by type",
  topClasses: "Worth reading first",
  topFiles: "Files with most duplicated lines",
  allFindings: "All findings",
  openMap: "Open the map",
  settings: "What was asked for",
  setting: {
    roots: "Searched",
    granularity: "Compared",
    types: "Types",
    measure: "Measure",
    similarity: "Least similarity",
    tokens: "Fewest tokens",
    lines: "Fewest lines",
    tool: "Made by",
  },
  leftOut: "What was left out",
  notSearched: (count: number) => plural(count, "file was not searched", "files were not searched"),
  notCode: (count: number) => `${plural(count, "file", "files")} of data, prose or no known language`,
  generated: (count: number) => `${plural(count, "generated or minified file", "generated or minified files")}`,
  ignored: (count: number) => `${plural(count, "line", "lines")} between familiar:ignore comments`,
  accepted: (count: number) => `${plural(count, "class", "classes")} accepted by the baseline`,
  missing: (count: number) => `${plural(count, "file’s", "files’")} code is not in this report`,
  showList: "Show the list",
  more: (count: number) => `and ${number(count)} more`,
  nothingFound: "No clones were found with these settings.",
  bar: (label: string, count: number, what: string) => `${label}: ${number(count)} ${what}`,
  pairsWord: "pairs",
  classesWord: "classes",
  linesWord: "lines",

  search: "Search paths and names",
  searchHint: "Words must all occur. path:src/ and name:parse look in one place, \"quotes\" keep spaces, -word leaves out.",
  classesTab: "Classes",
  pairsTab: "Pairs",
  type: "Type",
  language: "Language",
  anyLanguage: "All languages",
  least: "Similarity from",
  most: "to",
  lines: "Lines",
  fewest: "At least",
  reset: "Reset",
  found: (shown: number, all: number, kind: "classes" | "pairs") => {
    const counted = kind === "classes" ? plural(all, "class", "classes") : plural(all, "pair", "pairs");
    return shown === all ? counted : `${number(shown)} of ${counted}`;
  },
  nothingPasses: "Nothing passes this filter.",
  export: "Export",
  csv: "CSV",
  json: "JSON",
  exporting: "Writing…",
  columns: { rank: "Rank", type: "Type", similarity: "Similarity", lines: "Lines", copies: "Copies", path: "Where" },
  findingsTable: "Findings",
  keys: [
    ["j k", "next, previous"],
    ["Enter", "compare"],
    ["/", "search"],
    ["Esc", "back"],
  ],
  keysTitle: "Keys",
  preview: "Beginning of the first",
  membersOf: (count: number) => plural(count, "member", "members"),
  compare: "Compare",
  openSource: "Open the file",
  member: (at: number, all: number, place: string) => `${number(at)} of ${number(all)}: ${place}`,
  anonymous: (kind: string) => (kind === "run" ? "run of tokens" : `unnamed ${kind}`),
  range: (path: string, from: number, to: number) => `${path}:${from}–${to}`,
  lineRange: (from: number, to: number) => `lines ${from}–${to}`,

  left: "Left side",
  right: "Right side",
  swap: "Swap sides",
  back: "Findings",
  classOf: (rank: number) => `Class ${number(rank)}`,
  notListed: "alike by way of the class’s first member",
  linked: "between classes",
  renames: "Renamed",
  times: (count: number) => `${count}×`,
  legend: { same: "equal", renamed: "renamed", changed: "changed", left: "only on one side" },
  fold: (count: number) => `${plural(count, "line", "lines")} outside the finding`,
  foldUp: "Show 20 more",
  strip: "Overview of the comparison",
  missingSource: "This file’s code is not here",
  missingWhy: (reason: string) => `When the report was written: ${reason}.`,
  unknownFinding: "There is no such finding in this report.",
  unknownFile: "There is no such file in this report.",
  previousFinding: "Previous finding",
  nextFinding: "Next finding",
  position: (at: number, all: number) => `${number(at)} of ${number(all)}`,
  tooLong: (count: number) => `${number(count)} characters are not shown`,

  findingsHere: "Findings in this file",
  duplicatedHere: (some: number, all: number) => `${number(some)} of ${plural(all, "line", "lines")} duplicated`,
  fileOf: "File",

  mapHelp: "Area: duplicated lines. Colour: their share of a folder’s files that hold findings.",
  mapRoot: "All",
  mapLines: (some: number, all: number) => `${number(some)} of ${number(all)} lines in files with findings`,
  mapCell: (path: string, lines: number, share: number) => `${path}: ${plural(lines, "duplicated line", "duplicated lines")}, ${percent(share)}`,
  mapEmpty: "No class covers any line here.",
  shareUnknown: (path: string, lines: number) => `${path}: ${plural(lines, "duplicated line", "duplicated lines")}`,
  smaller: (count: number) => `${number(count)} smaller`,
};
