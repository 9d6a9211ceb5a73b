/** How names of files end that are offered as movies; any other file may be one too. */
export const movieExtensions: readonly string[] = [
  ...['mov', 'mp4', 'm4v', 'mkv', 'avi'],
  ...['mxf', 'webm', 'mpg', 'ts'],
];
