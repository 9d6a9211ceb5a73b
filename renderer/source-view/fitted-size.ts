interface Size {
  width: number;
  height: number;
}

/** The largest size of a picture's shape that fits into an area, in whole pixels. */
export function fittedSize(picture: Size, area: Size): Size {
  const scale = Math.min(area.width / picture.width, area.height / picture.height);
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
}
