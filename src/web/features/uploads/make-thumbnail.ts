import { UPLOAD_LIMITS } from '#contracts/rules/limits.ts';

const WIDTH = 640;
const QUALITY = 0.8;
/** Later than the first frame, which is often black. */
const AT_SECONDS = 1;
const TIMEOUT_MS = 10_000;

/**
 * Returns a JPEG of one of the first frames in base64. Null for sound and for formats that the
 * browser cannot play.
 */
export async function makeThumbnail(file: File): Promise<string | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  try {
    await waitFor(video, 'loadeddata', () => {
      video.src = url;
    });
    await waitFor(video, 'seeked', () => {
      video.currentTime = Math.min(AT_SECONDS, video.duration / 2 || 0);
    });
    return drawFrame(video);
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

function drawFrame(video: HTMLVideoElement): string | null {
  if (video.videoWidth === 0) return null;
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(WIDTH, video.videoWidth);
  canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const [, image = ''] = canvas.toDataURL('image/jpeg', QUALITY).split(',');
  return image !== '' && image.length <= UPLOAD_LIMITS.thumbnail ? image : null;
}

/** Resolves with the event that `act` causes. Rejects if the video is not playable or too slow. */
const waitFor = (video: HTMLVideoElement, event: string, act: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error('Not playable')), { once: true });
    setTimeout(() => reject(new Error(`No ${event}`)), TIMEOUT_MS);
    act();
  });
