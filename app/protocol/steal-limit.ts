/** CPU that a hypervisor may take away in any second, in percent: more makes a row INVALID. Apart, for what loads no schema. */
export const defaultMaxStealPercent = 5;
