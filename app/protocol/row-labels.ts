/** Of a row that was INVALID and does not count: another one was measured in its place. */
export const measuredAgainLabel = 'measured again';
