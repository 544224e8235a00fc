/** The namespace of the attribute `nil`, which says that an element is null. */
export const XSI_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance";
