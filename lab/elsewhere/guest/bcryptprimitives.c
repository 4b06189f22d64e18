/* Go's runtime takes its random numbers from ProcessPrng, which Wine got only
 * in version 9. This passes the call on to the older function of that kind. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG size);

BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
	return SystemFunction036(data, size);
}
