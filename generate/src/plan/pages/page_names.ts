/** The names of parameters, fields and headers by which the rules find the pages of lists. */

/** The parameters of a cursor, the surest first. */
export const cursorParams =
  ("cursor nextcursor aftercursor pagecursor startcursor paginationcursor pagetoken nextpagetoken " +
    "nexttoken paginationtoken pagingtoken continuationtoken continuetoken startingtoken " +
    "cursormark skiptoken batchtoken after pageafter startingafter continuation continue " +
    "marker bookmark iterator token afterid").split(" ");

/** Those whose cursor can be in the last item. */
export const lastItemParams: readonly string[] = ["after", "startingafter", "afterid"];

/** The fields of the next cursor, the surest first. */
export const cursorFields =
  ("nextcursor nextpagecursor nextpagetoken nexttoken nextpaginationtoken nextcontinuationtoken " +
    "nextcursormark nextmarker nextbookmark nextiterator continuationtoken continuetoken " +
    "paginationtoken pagingtoken endcursor aftercursor cursorafter lastid afterid after next nextpage " +
    "continue bookmark cursor").split(" ");

/** The names of headers with the next cursor, without `X-` and the name of a vendor before them. */
export const cursorHeaders =
  "nextcursor cursornext nextpagetoken nexttoken continuationtoken nextmarker nextpage paginationtoken"
    .split(" ");

/** Fields that are URLs by their names. */
export const urlFields: ReadonlySet<string> = new Set(
  "nexthref nextlink nextpagelink nextpageuri nextpageurl nexturi nexturl odatanextlink".split(" "),
);

export const moreFields = "hasmore hasnext hasnextpage hasmoreitems hasmorepages morepages more"
  .split(
    " ",
  );
export const pageParams = "page pagenumber pageno pagenum pageindex currentpage".split(" ");
export const offsetParams = "offset skip pageoffset startat".split(" ");

/** Parameters of an offset that can also be a time, an id or a place. */
export const startParams = "startindex startposition startrow startrecord firstresult start from"
  .split(
    " ",
  );

/** Parameters with the number of items on a page. */
export const sizeParams =
  /^(?:limit|size|count|top|take|rows|per_?page|page_?size|max(?:results|items)?)$/;

export const totalFields =
  ("total totalcount totalitems totalresults totalrecords totalrecordcount totalelements totalhits " +
    "totalrows totalrowcount totalentries totalnumber totalsetsize totalsize totalitemcount " +
    "totalresultcount numfound").split(" ");
export const pagesFields = "totalpages pagecount pagescount lastpage numpages pages totalpagecount"
  .split(
    " ",
  );

/** Fields that belong to a page, and say nothing about a resource. */
const fieldsOfPages: ReadonlySet<string> = new Set([
  ...cursorFields,
  ...urlFields,
  ...moreFields,
  ...pageParams,
  ...offsetParams,
  ...startParams,
  ...totalFields,
  ...pagesFields,
  ...("code count currenttime endposition etag first href itemsperpage kind last limit message next " +
    "object ok perpage prev previous previouspage resultsetsize resultsize self size status " +
    "success timestamp type version").split(" "),
]);

/** Reports if a field belongs to a page by its name. */
export function isFieldOfPages(key: string): boolean {
  return fieldsOfPages.has(key) || /^(?:previous|prev|has|is|page|total)/.test(key);
}

/** Reports if a field leads to the next page, or has the number of all items, by its name. */
export function isEndOfPages(key: string): boolean {
  return urlFields.has(key) || [...cursorFields, ...totalFields].includes(key);
}
