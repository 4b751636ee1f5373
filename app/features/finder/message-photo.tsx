interface MessagePhotoProps {
  /** Of the whole picture. */
  readonly path: string;
  readonly alt: string;
}

/** The photo of a message, which opens whole. The script shows one that has just been sent. */
export function MessagePhoto({ path, alt }: MessagePhotoProps) {
  return (
    <a href={path}>
      <img src={`${path}?small`} alt={alt} loading="lazy" height={160} className="h-40 rounded-lg" />
    </a>
  );
}
