/** Lists that come in pages, and the classes of their pages. This is the room's one way in. */

export { PageClasses, type ShapedPages, shapedPages } from "./page_classes.ts";
export { kindOf, propertiesIn, withoutNull } from "./page_fields.ts";
export { isListResult, planList } from "./plan_list.ts";
