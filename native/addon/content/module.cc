#include <napi.h>

#include "native/addon/content/content_writer_handle.h"
#include "native/addon/content/quality_check_handle.h"
#include "native/addon/shared/open_handles.h"
#include "native/addon/shared/process_face.h"

namespace whiteline {
namespace {

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  exports.Set("ContentWriter", ContentWriterHandle::define(env));
  exports.Set("QualityCheck", QualityCheckHandle::define(env));
  exportProcessFace(env, exports, openHandles::closeAll);
  return exports;
}

}  // namespace

NODE_API_MODULE(whiteline_content, initialize)

}  // namespace whiteline
